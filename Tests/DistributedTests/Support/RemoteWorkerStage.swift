import Foundation
import Glibc
import MotionClient
import MotionModel
import Testing
import ZeroMQ

/// A daemon that waits for the worker of `tween` on another machine, and the programs that want to be it.
final class RemoteWorkerStage {
  let directory: TestDirectory
  let address: String
  private(set) var daemon: Daemon
  private var started = 0

  /// Makes keys and starts the daemon; the plugin's folder holds its manifest and no program.
  ///
  /// - Parameters:
  ///   - authorized: for each name of a key, which worker its holder may be.
  ///   - host: the address of this machine at which it listens.
  init(
    authorized: [String: String] = ["stage": "tween"], strangers: [String] = [], host: String = "127.0.0.1",
    rate: Double = 120
  ) throws {
    let directory = try TestDirectory()
    self.directory = directory
    address = "tcp://\(host):\(try RemoteStage.freePorts(4))"
    var lines = ""
    for (name, worker) in authorized.sorted(by: { $0.key < $1.key }) {
      lines += "worker \(try RemoteStage.makeKey(name, in: directory).z85) \(worker)\n"
    }
    for name in strangers { _ = try RemoteStage.makeKey(name, in: directory) }
    try directory.write(lines, to: "authorized")
    try directory.write(PluginManifestFile.text(of: PluginFolder.tween().manifest), to: "plugins/tween/plugin.json")
    daemon = try Daemon(rate: rate, in: directory, arguments: Self.arguments(address, directory))
  }

  private static func arguments(_ address: String, _ directory: TestDirectory) -> [String] {
    ["--listen-workers", address, "--authorized-keys", directory["authorized"]]
  }

  /// Kills the daemon and starts it anew.
  func restartDaemon() throws {
    daemon.process.kill()
    daemon = try Daemon(in: directory, arguments: Self.arguments(address, directory))
  }

  /// A program that was started by hand.
  struct Program {
    let process: ChildProcess
    let log: String
    let directory: TestDirectory

    /// What it has said so far.
    var text: String { directory.text(of: log) }
  }

  /// Starts the plugin's program as somebody on another machine would, who has the key of this name.
  func start(_ key: String = "stage", by way: [String] = [], options: [String] = []) throws -> Program {
    started += 1
    let log = "worker-\(started)"
    let words =
      way + [
        try Programs.path("tween"), "--connect", address, "--key", directory["\(key).key"], "--server-key",
        directory["state/motiond.pub"],
      ] + options
    let process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
      output: directory[log], errors: directory[log])
    return Program(process: process, log: log, directory: directory)
  }
}
