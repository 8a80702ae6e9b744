import Foundation
import Glibc

/// A separate network for a worker, with a cable to ours that can be cut; it is removed when the test releases it.
final class Namespace {
  /// Whether one can be made here.
  static var isPossible: Bool {
    // The first namespace on a machine creates the folder of their names.
    geteuid() == 0 && access(program, X_OK) == 0 && access("/run", W_OK) == 0
  }

  private static let program = access("/usr/sbin/ip", X_OK) == 0 ? "/usr/sbin/ip" : "/sbin/ip"

  private let name: String
  /// Our end of the cable; the worker's has the same name, and is in its own network.
  let cable: String
  private let directory: TestDirectory
  /// Our address on the cable, and that of the other end.
  let host, otherHost: String
  /// The name of the other end.
  var otherCable: String { "\(cable)b" }
  /// The command by which a program is started there.
  var way: [String] { [Self.program, "netns", "exec", name] }

  init() throws {
    let number = Int.random(in: 0..<16_000)
    (name, cable) = ("motion-\(number)", "mt\(number)")
    // From the block for benchmarks between networks (RFC 2544), four addresses for each.
    let base = "198.18.\(number / 64 % 250).\(number % 64 * 4)"
    let prefix = base.split(separator: ".").dropLast().joined(separator: ".")
    let last = number % 64 * 4
    (host, otherHost) = ("\(prefix).\(last + 1)", "\(prefix).\(last + 2)")
    directory = try TestDirectory()
    try run("netns", "add", name)
    try run("link", "add", cable, "type", "veth", "peer", "name", "\(cable)b", "netns", name)
    try run("address", "add", "\(host)/30", "brd", "+", "dev", cable)
    try run("link", "set", cable, "up")
    try run("-n", name, "address", "add", "\(otherHost)/30", "brd", "+", "dev", otherCable)
    try run("-n", name, "link", "set", otherCable, "up")
    try run("-n", name, "link", "set", "lo", "up")
  }

  deinit {
    _ = try? run("link", "del", cable)
    _ = try? run("netns", "del", name)
  }

  /// Gives the network a second address and prefix, of which no other address belongs to a machine: ARP requests for
  /// them get no answer, so that the kernel reports an error after some seconds.
  func addDesertedNetwork(_ address: String) throws {
    try run("-n", name, "address", "add", address, "dev", "\(cable)b")
  }

  /// Cuts the cable: no packet passes any more.
  func cut() throws { try run("link", "set", cable, "down") }

  /// Connects the cable again.
  func plugIn() throws { try run("link", "set", cable, "up") }

  private func run(_ words: String...) throws {
    let process = try ChildProcess(
      Self.program, words, environment: [:], output: directory["ip"], errors: directory["ip"])
    guard try process.awaitEnd() == .exited(0) else {
      throw Problem("ip \(words.joined(separator: " ")): \(directory.text(of: "ip"))")
    }
  }
}
