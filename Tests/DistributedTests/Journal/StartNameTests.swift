import Faults
import Foundation
import Glibc
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// A motiond whose directories hold other things than its files: a handful of the cells of `StartTableTests`.
  @Suite struct StartNameTests {
    private func put(_ kind: String, at place: String) {
      try? FileManager.default.removeItem(atPath: place)
      switch kind {
      case "directory": mkdir(place, 0o700)
      case "pipe": mkfifo(place, 0o600)
      case "loop": symlink(place, place)
      default: symlink("/nowhere/at/all", place)
      }
    }

    /// The error of a start, if it fails; otherwise the start has answered a client.
    private func start(_ directory: TestDirectory, _ arguments: String...) throws -> String? {
      try? FileManager.default.removeItem(atPath: directory["log"])
      do {
        let daemon = try Daemon(in: directory, arguments: arguments)
        #expect(try daemon.connect().status().epoch > 0)
        daemon.process.kill()
        return nil
      } catch let problem as Problem {
        return problem.description
      }
    }

    private func isVerified(_ directory: TestDirectory) throws -> Bool {
      let ctl = Ctl(directory, runtimeDirectory: directory["run"])
      return try ctl("journal", "verify", directory["state/journal"]).end == .exited(0)
    }

    private func check(_ directory: TestDirectory) throws -> ChildProcess.End {
      try FileManager.default.createDirectory(atPath: directory["plugins"], withIntermediateDirectories: true)
      return try Daemon.start(directory, ["--check"], log: "check").awaitEnd()
    }

    // Clauses: S17.39, S17.40
    @Test(
      arguments: [
        ("epoch.new", "pipe", true), ("journal.last.new", "link", true), ("journal/journal.epoch.new", "pipe", true),
        ("journal/journal.sqlite-journal", "pipe", true), ("epoch.new", "directory", false), ("journal", "loop", false),
        ("journal", "link", false), ("epoch.lock", "link", false), ("journal/journal.lock", "link", false),
        ("journal/journal.sqlite-journal", "directory", false), ("journal/journal.sqlite-wal", "link", false),
      ])
    func `a start is served, or fails and --accept-loss serves`(name: String, kind: String, serves: Bool) throws {
      let directory = try TestDirectory()
      #expect(try start(directory) == nil)
      put(kind, at: directory["state/\(name)"])
      #expect(try isVerified(directory) == serves)
      #expect(try (check(directory) == .exited(0)) == serves)
      let refusal = try start(directory)
      #expect((refusal == nil) == serves, "\(refusal as Any)")
      if let refusal {
        #expect(refusal.contains("--accept-loss") || refusal.contains("mv "), "\(refusal)")
        #expect(try start(directory, "--accept-loss") == nil)
        #expect(try start(directory) == nil)
      }
      #expect(try isVerified(directory))
    }

    // Clauses: S16.20
    @Test func `what settings name is refused below a directory that others may write`() throws {
      let directory = try TestDirectory()
      try directory.write("rate: 60\n", to: "open/sub/motiond.yaml")
      try directory.write("", to: "open/sub/keys")
      try FileManager.default.createDirectory(atPath: directory["open/sub/plugins"], withIntermediateDirectories: true)
      let settings = [
        ["--config", directory["open/sub/motiond.yaml"]], ["--plugin-path", directory["open/sub/plugins"]],
        ["--listen", "tcp://127.0.0.1:45570", "--authorized-keys", directory["open/sub/keys"]],
      ]
      for arguments in settings {
        for isOpen in [true, false] {
          chmod(directory["open"], isOpen ? 0o777 : 0o755)
          try FileManager.default.createDirectory(
            atPath: directory["plugins"], withIntermediateDirectories: true)
          let process = try Daemon.start(directory, arguments + ["--check"], log: "check\(isOpen)")
          _ = try process.awaitEnd()
          let said = directory.text(of: "check\(isOpen)")
          #expect(said.contains("may be written by others") == isOpen, "\(arguments): \(said)")
          #expect(said.contains("chmod go-w \(directory["open"])") == isOpen, "\(arguments): \(said)")
          try FileManager.default.removeItem(atPath: directory["check\(isOpen)"])
        }
      }
    }
  }
}
