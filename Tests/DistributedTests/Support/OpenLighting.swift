import Foundation
import Glibc
import MotionModel
import Testing

/// The daemon of the Open Lighting project (OLA), in a network of its own: a receiver of sACN and Art-Net that is not ours.
/// It ignores synchronization.
final class OpenLighting {
  private static let programs = Programs.source(".build/ola/usr/bin")
  /// Whether `make test` has fetched it, and there can be a network for it.
  static var isPossible: Bool { Namespace.isPossible && access("\(programs)/olad", X_OK) == 0 }
  /// It does not run as root; this is the number of `nobody`.
  private static let user = "65534"

  private let network: Namespace
  private let directory: TestDirectory
  private let process: ChildProcess
  private let environment = ["PATH": "/usr/bin:/bin"]

  /// Starts it, and waits until it serves.
  ///
  /// - Parameters:
  ///   - sacn: the universes that it receives by sACN, under their own numbers.
  ///   - artnet: the Port-Addresses, from 0 to 15, that it receives by Art-Net, under their own numbers.
  init(sacn: [Int], artnet: [Int], in network: Namespace) throws {
    self.network = network
    directory = try TestDirectory()
    for name in Self.others { try directory.write("enabled = false\n", to: "settings/ola-\(name).conf") }
    try directory.write("enabled = true\nip = \(network.otherHost)\n", to: "settings/ola-e131.conf")
    try directory.write("enabled = true\nip = \(network.otherHost)\n", to: "settings/ola-artnet.conf")
    // The sources may be where nobody else may look.
    try FileManager.default.copyItem(atPath: "\(Self.programs)/olad", toPath: directory["olad"])
    for name in ["", "settings", "olad"] { chmod(directory[name], 0o755) }
    for name in try FileManager.default.contentsOfDirectory(atPath: directory["settings"]) + [""] {
      chown(directory["settings/\(name)"], uid_t(Self.user) ?? 0, gid_t(Self.user) ?? 0)
    }
    let words =
      network.way + ["/usr/bin/setpriv", "--reuid", Self.user, "--regid", Self.user, "--clear-groups"]
      + [directory["olad"], "--config-dir", directory["settings"], "--log-level", "2"]
    process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: environment, output: directory["said"],
      errors: directory["said"])
    try awaitTruth("olad serves: \(directory.text(of: "said"))") {
      try ask("/get_dmx?u=1").contains("\"dmx\"")
    }
    let devices = try command("ola_dev_info")
    for (number, universe) in sacn.enumerated() { try connect(universe, to: number, of: "E1.31", devices) }
    for (number, universe) in artnet.enumerated() { try connect(universe, to: number, of: "ArtNet", devices) }
  }

  /// The levels that it has for a universe.
  func levels(of universe: Int) throws -> [UInt8] {
    let answer = try ask("/get_dmx?u=\(universe)")
    guard let start = answer.firstIndex(of: "{") else { return [] }
    return try JSON(answer[start...])["dmx"].elements.map { UInt8(clamping: $0.count) }
  }

  /// The plugins that are not needed, some of which would look for hardware.
  private static let others = [
    "dummy", "espnet", "ftdidmx", "gpio", "karate", "kinet", "milinst", "opendmx", "openpixelcontrol", "osc",
    "pathport", "renard", "sandnet", "shownet", "spi", "stageprofi", "uartdmx", "usbdmx", "usbserial",
  ]

  private func connect(_ universe: Int, to port: Int, of name: String, _ devices: String) throws {
    let line = devices.split(separator: "\n").first { $0.hasPrefix("Device ") && $0.contains(name) }
    guard let device = line?.dropFirst("Device ".count).prefix(while: \.isNumber) else {
      throw Problem("olad has no device \(name): \(devices)")
    }
    _ = try command(
      "ola_patch", "--device", String(device), "--port", "\(port)", "--universe", "\(universe)", "--input")
  }

  private func command(_ name: String, _ arguments: String...) throws -> String {
    try output(of: "\(Self.programs)/\(name)", arguments)
  }

  private func ask(_ path: String) throws -> String {
    let request = "exec 3<>/dev/tcp/127.0.0.1/9090 && printf 'GET \(path) HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3"
    return try output(of: "/bin/bash", ["-c", request], mayFail: true)
  }

  private func output(of program: String, _ arguments: [String], mayFail: Bool = false) throws -> String {
    unlink(directory["answer"])
    let words = network.way + [program] + arguments
    let process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: environment, output: directory["answer"],
      errors: directory["complaints"])
    guard try process.awaitEnd() == .exited(0) || mayFail else {
      throw Problem("\(program): \(directory.text(of: "complaints"))")
    }
    return directory.text(of: "answer")
  }
}
