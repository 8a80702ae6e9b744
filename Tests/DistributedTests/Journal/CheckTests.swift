import Faults
import Foundation
import MotionClient
import MotionFiles
import MotionModel
import Testing

extension DistributedTests {
  /// `motiond --check` with a journal: it reports what a start would find, and changes nothing.
  @Suite struct CheckTests {
    private func check(_ directory: TestDirectory, _ arguments: String...) throws -> (
      end: ChildProcess.End, said: String
    ) {
      try FileManager.default.createDirectory(atPath: directory["plugins"], withIntermediateDirectories: true)
      try? FileManager.default.removeItem(atPath: directory["check"])
      let process = try Daemon.start(directory, ["--check"] + arguments, log: "check")
      return (try process.awaitEnd(), directory.text(of: "check"))
    }

    private func files(_ directory: TestDirectory) throws -> [String: Data] {
      let folder = directory["state/journal"]
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return Dictionary(
        uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data()) })
    }

    // Clauses: S17.29
    @Test func `a check of an intact journal reports no problem, also after a kill`() throws {
      let directory = try TestDirectory()
      #expect(try check(directory).end == .exited(0), "there is none yet")
      #expect(!FileManager.default.fileExists(atPath: directory["state/journal"]))
      let daemon = try Daemon(in: directory)
      try daemon.connect().add(.anchoredSpring("x", 5), to: "ball")
      daemon.process.kill()
      let before = try files(directory)
      let (end, said) = try check(directory)
      #expect(end == .exited(0), "\(said)")
      #expect(said.contains("no problems"))
      #expect(try files(directory) == before)
    }

    // Clauses: S16.21
    @Test(
      arguments: [
        ("motiond.key", "hello\n"), ("motiond.key", ""), ("motiond.key", String(repeating: "#", count: 5000)),
        ("motiond.key", "public 1\nsecret 2\n"), ("epoch", "hello\nyou\n"), ("assignments", "hello\n"),
        ("journal.last", "hello\n"), ("authorized-keys", "hello\n"),
      ])
    func `a damaged small file is named with its expected contents and a remedy`(name: String, text: String) throws {
      let directory = try TestDirectory()
      try directory.write("", to: "state/authorized-keys")
      try directory.write(text, to: "state/\(name)")
      chmod(directory["state"], 0o700)
      chmod(directory["state/\(name)"], 0o600)
      let arguments = ["--listen", "tcp://127.0.0.1:45570", "--listen-workers", "tcp://127.0.0.1:45580"]
      let (end, said) = try check(directory, arguments[0], arguments[1], arguments[2], arguments[3])
      #expect(end == .exited(1))
      let problem = try #require(
        said.split(separator: "\n").first { $0.contains(directory["state/\(name)"]) }, "\(said)")
      #expect(problem.count < 700, "\(problem)")
      let remedies = [
        "epoch": "--accept-loss", "journal.last": "--accept-loss", "assignments": "remove the file: rm ",
        "authorized-keys": "Write client or worker, the 40 characters of the public key, and a name",
        "motiond.key": "mv \(directory["state/motiond.key"]) \(directory["state/motiond.key"]).damaged",
      ]
      #expect(problem.contains(try #require(remedies[name])), "\(problem)")
      guard name == "motiond.key" else { return }
      let command = try #require(problem.firstMatch(of: /move the file away: (.*?)\. The next start/)).1
      let shell = try ChildProcess(
        "/bin/sh", ["-c", String(command)], environment: [:], output: directory["sh"], errors: directory["sh"])
      #expect(try shell.awaitEnd() == .exited(0))
      #expect(try check(directory, arguments[0], arguments[1], arguments[2], arguments[3]).end == .exited(0))
    }

    // Clauses: S17.40
    @Test func `a check on a full disk reports that a start could not write, and leaves nothing behind`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory)
      try daemon.connect().add(.anchoredSpring("x", 5), to: "ball")
      daemon.process.kill()
      try FileManager.default.createDirectory(atPath: directory["plugins"], withIntermediateDirectories: true)
      // The disk is full when the process begins, and contains the daemon's files; what is there afterwards is listed.
      let script =
        #"mount -t tmpfs -o size=1m,mode=0700 tmpfs "$0" && cp -a "$1"/. "$0" && { cat /dev/zero > "$0/filler" || :; } && "#
        + #"state="$0" && shift && { "$@"; code=$?; ls "$state"; exit $code; }"#
      #expect(rename(directory["state"], directory["before"]) == 0)
      #expect(mkdir(directory["state"], 0o700) == 0)
      let process = try Daemon.start(
        directory, ["--check"], log: "check",
        behind: [
          "/usr/bin/unshare", "--mount", "--propagation", "private", "sh", "-c", script, directory["state"],
          directory["before"],
        ])
      #expect(try process.awaitEnd() == .exited(1))
      let said = directory.text(of: "check")
      #expect(said.contains("No space left on device. Give motiond"), "\(said)")
      #expect(said.contains("filler") && !said.contains("\nepoch.check"), "\(said)")
      // The journal is intact, and a start would wait.
      let run = try Ctl(directory, runtimeDirectory: directory["run"]).start(
        ["journal", "verify", directory["state/journal"]],
        by: [
          "/usr/bin/unshare", "--mount", "--propagation", "private", "sh", "-c", script, directory["state"],
          directory["before"],
        ]
      ).finish()
      #expect(run.end == .exited(1) && run.errors.contains("No space left on device"), "\(run.errors)")
      #expect(run.output.contains("filler") && !run.output.contains("\nepoch.check"), "\(run.output)")
    }

    // Clauses: S18.7
    @Test func `check, status and log escape control characters of plugins`() throws {
      let directory = try TestDirectory()
      var plugin = try PluginFolder.tween()
      try plugin.write(to: directory)
      plugin.manifest.executable = "tw\u{1B}[31meen"
      try directory.write(PluginManifestFile.text(of: plugin.manifest), to: "plugins/tween/plugin.json")
      try directory.write("{}", to: "plugins/a\u{9B}b/plugin.json")
      let (end, said) = try check(directory)
      #expect(end == .exited(1))
      #expect(said.contains(#"tw\u{1B}[31meen: it cannot be opened"#) && said.contains(#"a\u{9B}b"#), "\(said)")
      #expect(!said.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) })
      // A check while motiond runs changes nothing either.
      let daemon = try Daemon(in: directory)
      for told in [try daemon.ctl("status").output, daemon.log] {
        #expect(told.contains(#"tw\u{1B}[31meen: it cannot be opened"#) && !told.contains("\u{1B}"), "\(told)")
      }
    }

    // Clauses: S17.29
    @Test(
      .fault(
        .storage, "The journal's head is missing", by: "it is removed after a kill",
        promise: "the start is refused with the remedy; motiond --check reports the same and changes nothing"))
    func `a check reports what prevents a start, with the remedy`() throws {
      let daemon = try Daemon()
      let directory = daemon.directory
      for number in 0..<10 {
        try daemon.connect().add(.anchoredSpring("x", Lanes(Double(number))), to: "ball")
      }
      #expect(try check(directory).said.contains("open the journal"), "it is in use")
      daemon.process.kill()
      try FileManager.default.removeItem(atPath: directory["state/journal/journal.head"])
      let before = try files(directory)
      let (end, said) = try check(directory)
      #expect(end == .exited(1))
      #expect(said.contains("PROBLEM"))
      #expect(said.contains("journal.head: it is missing"))
      #expect(said.contains("start motiond once with --accept-loss"))
      #expect(try check(directory, "--accept-loss").end == .exited(0))
      #expect(try files(directory) == before)
      // The start reports the same.
      let start = try Daemon.start(directory)
      #expect(try start.awaitEnd() == .exited(1))
      #expect(directory.text(of: "log").contains("journal.head: it is missing"))
    }
  }
}
