import Foundation
import Glibc
import MotionWire

/// A motion-studio of one test, with its files in the daemon's directory; it is killed when the test releases it.
final class StudioProcess: LoggingProcess {
  let process: ChildProcess
  private let directory: TestDirectory

  /// Starts it at any port, and waits until it serves.
  ///
  /// - Parameter runtimeDirectory: of another than the daemon, such as a gateway.
  init(to daemon: Daemon, runtimeDirectory: String? = nil, _ arguments: String...) throws {
    directory = daemon.directory
    process = try ChildProcess(
      try Programs.path("motion-studio"),
      ["--runtime-dir", runtimeDirectory ?? daemon.paths.directory, "--port", "0"] + arguments,
      environment: Self.environment(directory), output: directory["studio.address"], errors: directory["studio.log"])
    try awaitTruth("motion-studio serves") {
      guard process.isRunning else { throw Problem("motion-studio has ended; its log: \(log)") }
      return directory.text(of: "studio.address").hasSuffix("\n")
    }
  }

  /// The variables by which it finds its files.
  static func environment(_ directory: TestDirectory) -> [String: String] {
    [
      "XDG_RUNTIME_DIR": directory["studio-run"], "XDG_STATE_HOME": directory["studio-state"], "PATH": "/usr/bin:/bin",
    ]
  }

  /// Its log so far.
  var log: String { directory.text(of: "studio.log") }

  /// The address of its page, with the token.
  var page: String { String(directory.text(of: "studio.address").dropLast()) }

  /// The address for viewers, with the page's token or another one.
  func live(_ token: String? = nil) -> String {
    let parts = page.split(separator: "#token=").map(String.init)
    return parts[0].replacing("http:", with: "ws:") + "live?token=\(token ?? parts[1])"
  }

  /// The number of the process that `motionctl open` has started, which serves the files of this directory.
  static func started(by directory: TestDirectory) -> Int32? {
    let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
    return ids.first { id in
      let words = FileManager.default.contents(atPath: "/proc/\(id)/cmdline").map {
        String(decoding: $0, as: UTF8.self)
      }
      return words.map { $0.contains("motion-studio") && $0.contains(directory["run"]) } ?? false
    }
  }

  /// Runs `motion-studio viewer`, and returns what it prints.
  func viewer(_ arguments: String...) throws -> String {
    let name = "viewer-command"
    unlink(directory[name])
    let command = try ChildProcess(
      try Programs.path("motion-studio"), ["viewer"] + arguments, environment: Self.environment(directory),
      output: directory[name], errors: directory[name])
    let end = try command.awaitEnd()
    guard end == .exited(0) else { throw Problem("\(command.name): \(end), \(directory.text(of: name))") }
    return directory.text(of: name)
  }
}
