import Testing

/// Every help screen, as it is printed where there is no terminal.
@Suite struct HelpTests {
  @Test(arguments: [
    "", "commit", "add", "remove", "forget", "stop", "input", "watch", "draw", "list", "graph", "why", "describe",
    "status", "open", "record", "record start", "record last",
    "pause", "resume", "speed", "step", "hold", "release", "limit", "group", "replay", "export", "diff", "fork",
    "scene", "scene save", "scene recall", "scene list", "scene show", "scene delete", "cue", "cue load", "cue go",
    "cue back", "cue goto",
    "cue stop", "cue status", "cue show", "cue delete", "journal", "journal verify",
    "journal show", "journal export",
    "plugin", "plugin restart", "key", "key new", "key show", "completions", "shell",
  ])
  func helpIsGolden(command: String) throws {
    let run = try Program.run(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(run.status == 0)
    #expect(run.errors == "")
    let name = command.isEmpty ? "motionctl" : command.replacing(" ", with: "-")
    try Golden.expect(run.output, "Help/\(name).txt")
  }

  @Test func helpFitsInEightyColumns() throws {
    for command in ["", "commit", "add", "input", "watch", "draw", "list", "graph", "why", "record", "replay", "shell"]
    {
      let run = try Program.run(command.isEmpty ? ["--help"] : [command, "--help"])
      #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(command)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions contain the commands`(shell: String) throws {
    let run = try Program.run(["completions", shell])
    #expect(run.status == 0)
    for command in ["commit", "input", "watch", "draw", "describe", "completions"] {
      #expect(run.output.contains(command))
    }
  }
}
