import Foundation
import Glibc
import Testing

/// The packets that pass an interface, as Wireshark dissects them.
final class Capture {
  private static let programs = ["/usr/bin/dumpcap", "/usr/bin/tshark"]
  /// Whether there can be one here; make setup installs what it needs.
  static var isPossible: Bool { geteuid() == 0 && programs.allSatisfy { access($0, X_OK) == 0 } }

  private let network: Namespace
  private let directory: TestDirectory
  private let process: ChildProcess

  /// Begins to capture what passes the cable to a network, and waits until it does.
  init(of network: Namespace) throws {
    self.network = network
    directory = try TestDirectory()
    process = try ChildProcess(
      Self.programs[0], ["-q", "-i", network.cable, "-w", directory["packets"]], environment: ["PATH": "/usr/bin:/bin"],
      output: directory["said"], errors: directory["said"])
    try awaitTruth("it captures") { directory.text(of: "said").contains("File:") }
  }

  /// Ends the capture, behind everything that was sent so far.
  func end() throws {
    let mark = "the capture ends here"
    let command = "echo \(mark) > /dev/udp/\(network.otherHost)/9"
    let sender = try ChildProcess(
      "/bin/bash", ["-c", command], environment: [:], output: directory["said"], errors: directory["said"])
    _ = try sender.awaitEnd()
    try awaitTruth("the last packet is written") {
      try Data(contentsOf: URL(filePath: directory["packets"])).firstRange(of: Data(mark.utf8)) != nil
    }
    process.send(SIGINT)
    _ = try process.awaitEnd()
  }

  /// These fields of the packets that a display filter selects, in order; empty where a packet has none.
  func fields(_ names: String..., of filter: String) throws -> [[String]] {
    // A child writes behind what is there.
    try? FileManager.default.removeItem(atPath: directory["fields"])
    // ACN is found by its first bytes, and its levels are dissected only if asked for.
    let words =
      [
        "-r", directory["packets"], "--enable-heuristic", "acn", "-o", "acn.dmx_enable:TRUE", "-Y", filter, "-T",
        "fields",
      ] + names.flatMap { ["-e", $0] }
    let reading = try ChildProcess(
      Self.programs[1], words, environment: ["PATH": "/usr/bin:/bin", "HOME": directory.path],
      output: directory["fields"], errors: directory["errors"])
    guard try reading.awaitEnd() == .exited(0) else { throw Problem("tshark: \(directory.text(of: "errors"))") }
    return directory.text(of: "fields").split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
