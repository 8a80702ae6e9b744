import Foundation
import Glibc
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// `motionctl shell` at a terminal and with scripts.
  @Suite struct ShellTests {
    /// A shell at a terminal of its own, with a home of its own.
    private struct Stage {
      let terminal: PseudoTerminal
      let process: ChildProcess

      init(_ directory: TestDirectory, _ arguments: String...) throws {
        terminal = try PseudoTerminal()
        process = try ChildProcess(
          try Programs.path("motionctl"), ["shell"] + arguments,
          environment: [
            "MOTIOND_RUNTIME_DIR": directory["run"], "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm",
            "HOME": directory["home"], "NO_COLOR": "1",
          ], output: directory["unused"], errors: directory["unused"], terminal: terminal.path)
        try terminal.expect("motion")
      }
    }

    // Clauses: S29.1, S29.2, S29.3, S29.6
    @Test func `typed commands run until Ctrl-D, and Ctrl-C ends a command and not the shell`() throws {
      let daemon = try Daemon()
      let shell = try Stage(daemon.directory)
      let terminal = shell.terminal
      try terminal.expect("> ")
      let receipt = try terminal.run("ball.position ~ 100,50 bounce=0.1 duration=200ms")
      #expect(receipt.contains("transaction 1, 1 operation"), "\(receipt)")
      let client = try daemon.connect()
      try awaitTruth("the spring has arrived") {
        try client.state(of: "position", of: "ball")?.state.value == [100, 50] && !client.status().isActive
      }
      #expect(try terminal.run("list properties ball").contains("ball/position  100.000 50.000"))

      // A command without an end of its own.
      try terminal.type("watch --json\r")
      try terminal.expect("\"complete\":true")
      try terminal.type("\u{3}")
      try terminal.expect("motion> ")
      // Ctrl-C at the prompt drops the line.
      try terminal.type("nonsense")
      try terminal.expect("nonsense")
      try terminal.type("\u{3}")
      try terminal.expect("motion> ")
      #expect(try client.properties().count == 1)

      let mistake = try terminal.run("ball.position ~ 1 bounce=9")
      #expect(mistake.contains("column 19: field \"bounce\": 9 is out of range"), "\(mistake)")
      let paused = try terminal.run("pause", until: "> ")
      #expect(paused.contains("time is paused") && paused.contains("motion (paused "), "\(paused)")
      #expect(try terminal.run("hold", until: "> ").contains("motion (held "))
      _ = try terminal.run("release", until: "> ")
      #expect(try terminal.run("resume").contains("time runs at speed 1"))
      #expect(try terminal.run("help").contains("SHORT FORMS"))
      #expect(try terminal.run("shell").contains("a shell does not start another shell"))
      try terminal.type("\u{4}")
      #expect(try shell.process.awaitEnd() == .exited(0))
    }

    // Clauses: S29.12
    @Test func `at stands at a moment of a recording, which the prompt shows`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.mcap"]])
      let client = try daemon.connect()
      let shell = try Stage(directory)
      let terminal = shell.terminal
      try terminal.expect("> ")
      #expect(try terminal.run("ball.x ~ 5 duration=200ms").contains("transaction 1"))
      try client.awaitIdle()
      // motiond goes on recording: the file has the frames until it was idle.
      let past = try terminal.run("at \(directory["show.mcap"])", until: "> ")
      #expect(past.contains("show.mcap at frame") && past.contains("motion (at "), "\(past)")
      #expect(try terminal.run("why ball.x", until: "> ").contains("Before, SpringTo (plan 1.0, of motionctl"))
      #expect(try terminal.run("at frame:3", until: "> ").contains("at frame 3"))
      let then = try terminal.run("why ball/x", until: "> ")
      #expect(then.contains("SpringTo (plan 1.0) drives it since") && then.contains("frame 3"), "\(then)")
      #expect(try terminal.run("at frame:99999", until: "> ").contains("does not contain frame 99999"))
      #expect(try terminal.run("pause", until: "> ").contains(", paused)"), "the daemon's time, which others wait for")
      _ = try terminal.run("resume", until: "> ")
      #expect(try terminal.run("at 25:00:00", until: "> ").contains("neither a moment nor a file"))
      #expect(try terminal.run("at now").contains("at the present of the daemon"))
      #expect(try terminal.run("why ball.x").contains("Nothing drives it. It stands."))
      try terminal.type("\u{4}")
      #expect(try shell.process.awaitEnd() == .exited(0))
    }

    // Clauses: S29.5
    @Test func `TAB completes commands, options, targets, properties, types and fields`() throws {
      let daemon = try Daemon()
      try daemon.connect().add(.springTo("position", [100, 50]), to: "ball")
      let shell = try Stage(daemon.directory)
      let terminal = shell.terminal
      try terminal.expect("> ")
      for (typed, completed) in [
        ("desc\t", "ribe "), ("Sp\t", "ringTo "), ("--js\t", "on "), ("\u{15}lis\t", "t "), ("prop\t", "erties "),
        ("ba\t", "ll "), ("\u{15}watch ball/p\t", "osition "), ("\u{15}why ball.p\t", "osition "),
        ("\u{15}add SpringTo --to b\t", "all "),
        ("dest\t", "ination="),
        ("1 prop\t", "erty="), ("p\t", "osition "), ("\u{15}ba\t", "ll."), ("p\t", "osition "), ("~ 1 bou\t", "nce="),
      ] {
        try terminal.type(typed)
        // The cursor may be moved between what was typed and what is added.
        try terminal.expect(completed)
      }
      try terminal.type("\u{15}s\t")
      let candidates = try terminal.expect("stop")
      #expect(candidates.contains("speed") && candidates.contains("status"), "\(candidates)")
      // Files, where one is expected.
      try daemon.directory.write("{\"transaction\": []}", to: "my show.json")
      try terminal.type("\u{15}commit \(daemon.directory["my"])\t")
      try terminal.expect("\\ show.json ")
      #expect(try terminal.run("").contains("transaction 2, 0 operations"))
      // A name that a terminal would act on is not offered, so that the other one is the only candidate.
      try daemon.directory.write("", to: "odd\u{1B}[2J.json")
      try daemon.directory.write("{\"transaction\": []}", to: "odd.json")
      try terminal.type("commit \(daemon.directory["od"])\t")
      try terminal.expect("d.json ")
      #expect(try terminal.run("").contains("transaction 3, 0 operations"))
      // JSON, also in the lines that continue it.
      try terminal.type("{\"trans\t")
      try terminal.expect("action")
      try terminal.type("\": [\r")
      try terminal.expect("… ")
      for (typed, completed) in [
        ("{\"add\": {\"type\": \"SpringT\t", "o"), ("\", \"bou\t", "nce"), ("\": 0}, \"to\": \"ba\t", "ll"),
      ] {
        try terminal.type(typed)
        try terminal.expect(completed)
      }
      try terminal.type("\u{3}")
      try terminal.expect("motion> ")
      // A folder that cannot be read, and words that nothing completes, change nothing.
      try terminal.type("commit /nowhere/\t\u{15}list 'x\t\u{15}exit\r")
      #expect(try shell.process.awaitEnd() == .exited(0))
    }

    // Clauses: S29.4, S29.8
    @Test func `JSON over several lines is committed, and lines are kept in a private file`() throws {
      let daemon = try Daemon()
      let shell = try Stage(daemon.directory)
      let terminal = shell.terminal
      try terminal.expect("> ")
      try terminal.type("{\"transaction\": [\r")
      try terminal.expect("… ")
      try terminal.type(
        "{\"add\": {\"type\": \"SpringTo\", \"property\": \"x\", \"destination\": 1}, \"to\": \"box\"}\r")
      try terminal.expect("… ")
      #expect(try terminal.run("], \"comment\": \"}\"}").contains("transaction 1, 1 operation"))
      try terminal.type("{\"transaction\": [\r")
      try terminal.expect("… ")
      let mistake = try terminal.run(" {\"ad\": 1}]}")
      #expect(mistake.contains("standard input:2:3: "), "\(mistake)")
      // Ctrl-C drops the lines before.
      try terminal.type("{\r")
      try terminal.expect("… ")
      try terminal.type("\u{3}")
      try terminal.expect("motion> ")
      _ = try terminal.run(" list targets")
      // The line before, by the arrow key.
      try terminal.type("\u{1B}[A")
      try terminal.expect("ad")
      try terminal.type("\u{3}")
      try terminal.expect("motion> ")
      try terminal.type("exit\r")
      #expect(try shell.process.awaitEnd() == .exited(0))

      let file = "home/.local/state/motionctl/history"
      let lines = daemon.directory.text(of: file).split(separator: "\n")
      #expect(lines.count == 3 && lines[0].hasSuffix("], \"comment\": \"}\"}") && lines[2] == "exit", "\(lines)")
      let mode = try FileManager.default.attributesOfItem(atPath: daemon.directory[file])[.posixPermissions] as? Int
      #expect(mode == 0o600)

      // A file that has grown is shortened.
      try daemon.directory.write((0..<5000).map { "line \($0)\n" }.joined(), to: file)
      let second = try Stage(daemon.directory)
      try second.terminal.expect("> ")
      try second.terminal.type("\u{1B}[A")
      try second.terminal.expect("line 4999")
      try second.terminal.type("\u{15}exit\r")
      #expect(try second.process.awaitEnd() == .exited(0))
      #expect(daemon.directory.text(of: file).split(separator: "\n").count == 1001)
    }

    // Clauses: S29.2, S29.6
    @Test func `the prompt shows a lost daemon, and the shell continues with the next one`() throws {
      let directory = try TestDirectory()
      let first = try Daemon(in: directory)
      let shell = try Stage(directory)
      try shell.terminal.expect("> ")
      // A daemon that hangs: Ctrl-C ends the wait for it.
      first.process.send(SIGSTOP)
      try shell.terminal.type("status --timeout 1h\r")
      try shell.terminal.expect("\n")
      try shell.terminal.type("\u{3}")
      try shell.terminal.expect("interrupted before motiond answered")
      try shell.terminal.expect("motion (no answer)> ")
      first.process.kill()
      // Without a key.
      try shell.terminal.expect("(no daemon)> ")
      #expect(try shell.terminal.run("list targets", until: "(no daemon)> ").contains("no motiond listens"))
      let second = try Daemon(in: directory)
      try shell.terminal.expect("motion> ")
      #expect(try shell.terminal.run("list targets").contains("no targets"))
      shell.process.send(SIGTERM)
      #expect(try shell.process.awaitEnd() == .exited(0))
      // A terminal that is closed, at the prompt and while a command runs, which then cannot write.
      for isRunning in [false, true] {
        var stage: Stage? = try Stage(directory)
        try stage?.terminal.expect("> ")
        if isRunning {
          try stage?.terminal.type("watch --json\r")
          try stage?.terminal.expect("\"complete\":true")
        }
        let process = try #require(stage?.process)
        stage = nil
        let end = try process.awaitEnd()
        #expect(isRunning || end == .exited(0), "\(end)")
      }
      try second.terminate()
    }

    // Clauses: S29.11
    @Test func `a stopped shell continues with its line, which follows the size of the terminal`() throws {
      let directory = try TestDirectory()
      let terminal = try PseudoTerminal()
      // Another shell, because only one with job control can continue a program.
      let shell = try ChildProcess(
        "/bin/bash", ["--norc", "-i"],
        environment: [
          "MOTIOND_RUNTIME_DIR": directory["run"], "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm",
          "HOME": directory["home"], "PS1": "outer$ ",
        ], output: directory["unused"], errors: directory["unused"], terminal: terminal.path)
      try terminal.expect("outer$ ")
      try terminal.type("\(try Programs.path("motionctl")) shell\r")
      try terminal.expect("motion (no daemon)> ")
      try terminal.type("hel")
      try terminal.expect("hel")
      // Twice, because the first stop must not change what the second does.
      for _ in 0..<2 {
        try terminal.type("\u{1A}")
        try terminal.expect("outer$ ")
        try terminal.type("fg\r")
        try terminal.expect("motion (no daemon)> hel")
        terminal.resize(columns: 100)
        try terminal.expect("motion (no daemon)> hel")
        terminal.resize(columns: 120)
        try terminal.expect("motion (no daemon)> hel")
      }
      try terminal.type("p\r")
      try terminal.expect("SHORT FORMS")
      try terminal.type("exit\r")
      try terminal.expect("outer$ ")
      try terminal.type("exit\r")
      #expect(try shell.awaitEnd() == .exited(0))
    }

    // Clauses: S29.7, S29.10
    @Test func `a script from a pipe ends at the first failing line, with its number`() throws {
      let daemon = try Daemon()
      let script = """
        # The first act.
        ball.position ~ 100,50   # a spring

        {"transaction": [
          {"add": {"type": "SpringTo", "property": "x", "destination": 1}, "to": "box"}
        ]}
        list targets
        list properties nothing
        list plugins
        """
      try daemon.directory.write(script, to: "script")
      let pipe = ["/bin/sh", "-c", "cat '\(daemon.directory["script"])' | \"$0\" \"$@\""]
      let run = try daemon.ctl.start(["shell"], by: pipe).finish()
      #expect(run.end == .exited(4), "\(run)")
      #expect(run.errors.contains("standard input:8: failed, and the script ends here"), "\(run.errors)")
      #expect(run.output.contains("transaction 2, 1 operation") && run.output.contains("box"), "\(run.output)")
      #expect(!run.output.contains("motion>") && !run.output.contains("tween"), "\(run.output)")

      let whole = try daemon.ctl("shell", daemon.directory["script"], "--keep-going")
      #expect(whole.end == .exited(4), "\(whole)")
      #expect(whole.errors.contains("script:8: failed"), "\(whole.errors)")
      #expect(whole.errors.contains("no plugins"), "the line after it runs: \(whole.errors)")

      // The options of the shell are those of its commands.
      try daemon.directory.write("list targets --runtime-dir /nowhere\nlist targets\n", to: "script")
      let elsewhere = try daemon.ctl(
        "shell", daemon.directory["script"], "--keep-going", "--runtime-dir", daemon.directory["run"])
      #expect(elsewhere.end == .exited(3) && elsewhere.output.contains("ball"), "\(elsewhere)")
    }
  }
}
