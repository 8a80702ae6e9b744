import Faults
import Foundation
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// A journal that is removed, replaced, or writable by others, and a disk that is full when motiond starts.
  @Suite struct MissingJournalTests {
    /// Returns the output of a start that has to be refused, with these arguments besides those of every test.
    private func refusal(_ directory: TestDirectory, _ arguments: String...) throws -> String {
      try? FileManager.default.removeItem(atPath: directory["refused"])
      let process = try Daemon.start(directory, arguments, log: "refused")
      #expect(try process.awaitEnd() == .exited(1))
      return directory.text(of: "refused")
    }

    private func check(_ directory: TestDirectory) throws -> String {
      try FileManager.default.createDirectory(atPath: directory["plugins"], withIntermediateDirectories: true)
      return try refusal(directory, "--check")
    }

    private func verify(_ directory: TestDirectory) throws -> String {
      let run = try Ctl(directory, runtimeDirectory: directory["run"])
        .start(["journal", "verify", directory["state/journal"]]).finish()
      #expect(run.end == .exited(1))
      return run.errors
    }

    // Clauses: S17.31
    @Test(arguments: ["journal", "journal/journal.sqlite", "journal/journal.sqlite-wal", "journal/journal.head"])
    func `commits are refused while a journal file is missing, and accepted when it is back`(
      name: String
    ) throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.add(.anchoredSpring("x", 1), to: "before")
      let (place, away) = (daemon.directory["state/\(name)"], daemon.directory["away"])
      #expect(rename(place, away) == 0)
      // A checkpoint that is being written may have failed already; otherwise this first commit fails.
      let error = #expect(throws: MotionClientError.self) { try client.add(.anchoredSpring("x", 1), to: "meanwhile") }
      #expect(error?.refusal?.code == .storage)
      // This appears once motiond has examined the directory.
      try awaitTruth("the status names the remedy") {
        try client.status().journal.map { $0.problem.contains("Put ") || $0.problem.contains("Restore ") } == true
      }
      #expect(throws: MotionClientError.self) { try client.add(.anchoredSpring("x", 1), to: "later") }
      // motiond has not created another journal there.
      if name == "journal" { #expect(access(place, F_OK) != 0) }

      unlink(place)
      #expect(rename(away, place) == 0)
      try awaitTruth("it is healed") { try client.status().journal?.problem == "" }
      try client.add(.anchoredSpring("x", 1), to: "afterwards")
      daemon.process.kill()
      let next = try Daemon(in: daemon.directory)
      #expect(Set(try next.connect().intentions().map(\.target)) == ["before", "afterwards"])
    }

    // Clauses: S17.30
    @Test func `a missing or older journal is refused until its loss is accepted`() throws {
      let first = try Daemon()
      let directory = first.directory
      try first.connect().add(.anchoredSpring("x", 1), to: "one")
      first.process.kill()
      try FileManager.default.copyItem(atPath: directory["state/journal"], toPath: directory["copy"])
      let second = try Daemon(in: directory)
      try awaitLog(of: second, "epoch=2")
      try second.connect().add(.anchoredSpring("x", 1), to: "two")
      second.process.kill()

      // As when its disk is not mounted.
      #expect(rename(directory["state/journal"], directory["newest"]) == 0)
      for text in [try refusal(directory), try check(directory)] {
        #expect(text.contains("it is missing, although start 2") && text.contains("--accept-loss"), "\(text)")
      }
      #expect(access(directory["state/journal"], F_OK) != 0)
      // As when a copy is restored.
      try FileManager.default.copyItem(atPath: directory["copy"], toPath: directory["state/journal"])
      for text in [try refusal(directory), try check(directory)] {
        #expect(text.contains("it is an older copy: start 1") && text.contains("--accept-loss"), "\(text)")
      }
      // The newest journal is accepted, and the copy is accepted with --accept-loss.
      #expect(rename(directory["state/journal"], directory["older"]) == 0)
      #expect(rename(directory["newest"], directory["state/journal"]) == 0)
      let third = try Daemon(in: directory)
      #expect(Set(try third.connect().intentions().map(\.target)) == ["one", "two"])
      third.process.kill()
      try FileManager.default.removeItem(atPath: directory["state/journal"])
      #expect(rename(directory["older"], directory["state/journal"]) == 0)
      let fourth = try Daemon(in: directory, arguments: ["--accept-loss"])
      try awaitLog(of: fourth, "this loss is accepted")
      #expect(try fourth.connect().intentions().map(\.target) == ["one"])
      fourth.process.kill()
      _ = try Daemon(in: directory)
    }

    // Clauses: S17.30
    @Test func `the epoch increases although its file is lost`() throws {
      let first = try Daemon()
      #expect(try first.connect().epoch == 1)
      for epoch in UInt64(2)...3 {
        first.process.kill()
        try FileManager.default.removeItem(atPath: first.directory["state/epoch"])
        let next = try Daemon(in: first.directory)
        #expect(try next.connect().epoch == epoch)
        next.process.kill()
      }
    }

    // Clauses: S17.32
    @Test(
      .fault(
        .storage, "The state directory is full when motiond starts", by: "a tmpfs of 1 MiB, filled",
        promise: "it waits and reports the reason, to the service manager too; it serves when there is space"))
    func `a start on a full disk waits until there is space`() throws {
      let directory = try TestDirectory()
      let first = try Daemon(in: directory)
      try first.connect().add(.anchoredSpring("x", 1), to: "kept")
      first.process.kill()
      // The disk is full when the process begins, and contains the previous daemon's files.
      let script =
        #"mount -t tmpfs -o size=1m,mode=0700 tmpfs "$0" && cp -a "$1"/. "$0" && { cat /dev/zero > "$0/filler" || :; } && "#
        + #"shift && exec "$@""#
      #expect(rename(directory["state"], directory["before"]) == 0)
      #expect(mkdir(directory["state"], 0o700) == 0)
      let notifications = try NotifySocket(directory["notify"])
      let process = try Daemon.start(
        directory, notifying: notifications.path,
        behind: [
          "/usr/bin/unshare", "--mount", "--propagation", "private", "sh", "-c", script, directory["state"],
          directory["before"],
        ])
      // motiond asks the service manager to wait as long.
      try notifications.hear("EXTEND_TIMEOUT_USEC=4000000", from: process)
      #expect(process.isRunning)
      try awaitTruth("it says why") {
        directory.text(of: "log").contains("No space left on device. Give motiond") && process.isRunning
      }
      unlink("/proc/\(process.processID)/root\(directory["state"])/filler")
      try notifications.hear("READY=1", from: process)
      let paths = RuntimePaths(directory: directory["run"])
      let client = try MotionClient(connectingTo: [paths], name: "test")
      #expect(try client.intentions().map(\.target) == ["kept"])
      try client.add(.anchoredSpring("x", 1), to: "new")
    }

    // Clauses: S16.12
    @Test func `a journal or a configuration that others could have written is refused with the remedy`() throws {
      let daemon = try Daemon()
      try daemon.connect().add(.anchoredSpring("x", 1), to: "kept")
      daemon.process.kill()
      let directory = daemon.directory
      let journal = directory["state/journal"]
      chmod(journal, 0o770)
      for text in [try refusal(directory), try check(directory)] {
        #expect(text.contains("other than its owner may write into it") && text.contains("chmod go-w"), "\(text)")
      }
      chmod(journal, 0o700)
      // A link to it would lead SQLite to another log, and rows would seem to be missing.
      #expect(rename(journal + "/journal.sqlite", directory["elsewhere"]) == 0)
      #expect(symlink(directory["elsewhere"], journal + "/journal.sqlite") == 0)
      #expect(try refusal(directory).contains("it is a link"))
      unlink(journal + "/journal.sqlite")
      #expect(rename(directory["elsewhere"], journal + "/journal.sqlite") == 0)
      let files = [
        "\(journal)/journal.sqlite", "\(journal)/journal.head", "\(journal)/journal.epoch",
        "\(directory["state"])/epoch", "\(directory["state"])/epoch.lock", "\(directory["state"])/journal.last",
      ]
      for path in files {
        chmod(path, 0o666)
        for text in [try refusal(directory), try check(directory), try verify(directory)] {
          #expect(text.contains("may write it (mode 666)") && text.contains("chmod go-w \(path)"), "\(path): \(text)")
        }
        chmod(path, 0o600)
      }
      if geteuid() == 0 {
        for path in [journal] + files {
          #expect(chown(path, 61234, gid_t.max) == 0)
          let text = try refusal(directory)
          #expect(text.contains("it belongs to user 61234") && text.contains("chown 0"), "\(text)")
          #expect(chown(path, 0, gid_t.max) == 0)
        }
      }

      try directory.write("rate: 60\n", to: "motiond.yaml")
      chmod(directory["motiond.yaml"], 0o620)
      let process = try Daemon.start(directory, ["--config", directory["motiond.yaml"]], log: "configured")
      #expect(try process.awaitEnd() == .exited(2))
      let text = directory.text(of: "configured")
      #expect(text.contains("users other than its owner can write it") && text.contains("chmod go-w"), "\(text)")
      let next = try Daemon(in: directory)
      #expect(try next.connect().intentions().map(\.target) == ["kept"])
    }
  }
}
