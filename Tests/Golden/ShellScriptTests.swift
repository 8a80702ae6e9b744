import Testing

/// Scripts of the shell that need no daemon.
@Suite(.timeLimit(.minutes(1))) struct ShellScriptTests {
  // Clauses: S29.1
  @Test func `the help of the shell is golden`() throws {
    let run = try Program.run(["shell"], input: "help\n")
    #expect(run.status == 0 && run.errors == "")
    try Golden.expect(run.output, "Text/shell-help.txt")
    let whole = try Program.run(["shell"], input: "help motionctl\nhelp list\nlist --help\n")
    #expect(whole.status == 0 && whole.output.contains("SUBCOMMANDS") || whole.output.contains("SHELL"), "\(whole)")
  }

  // Clauses: S29.1, S29.7
  @Test(arguments: [
    ("", 0, ""), ("# nothing\n\n   \n", 0, ""), ("exit\nbogus\n", 0, ""), ("quit", 0, ""), ("motionctl\n", 0, ""),
    ("bogus\nlist targets\n", 2, "standard input:1: failed, and the script ends here\n"),
    ("\n\nlist targets", 3, "standard input:3: failed, and the script ends here\n"),
    ("\r\nlist 'x\r\n", 2, "error: standard input:2:6: the quote is not closed\n"),
    ("ball.x ~\n", 2, "error: standard input:1:9: there is no value after \"~\"\n"),
    ("{\n\"transaction\": [}\n", 3, "no motiond listens"), ("commit --dry-run -\n", 2, "standard input is the script"),
    ("shell\n", 2, "a shell does not start another shell"), ("exit 3\n", 2, "exit takes no arguments"),
    ("ball.x ~ 1\n", 3, "no motiond listens"),
  ])
  func `a script ends with the code of the line that fails, and names it`(
    script: String, status: Int32, message: String
  ) throws {
    let run = try Program.run(["shell"], input: script)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.output == "")
    #expect(message.isEmpty ? run.errors.isEmpty : run.errors.contains(message), "\(run.errors)")
  }

  // Clauses: S29.7
  @Test func `with keep-going all lines run, and the first failure is the exit code`() throws {
    let run = try Program.run(["shell", "--keep-going"], input: "help\nlist targets\nbogus\nhelp\n")
    #expect(run.status == 3)
    #expect(run.output.ranges(of: "SHORT FORMS").count == 2, "\(run.output)")
    #expect(run.errors.contains("standard input:2: failed\n") && run.errors.contains("standard input:3: failed\n"))
    #expect(try Program.run(["shell", "/nowhere/script"]).status == 1)
  }

  // Clauses: S29.9
  @Test func `bytes that are no text are refused with their line`() throws {
    let run = try Program.shell(#"printf 'help\n\377\000\233 ~ 1\n{"\377\n' | "$MOTIONCTL" shell --keep-going"#)
    #expect(run.status == 2, "\(run.errors)")
    #expect(
      run.errors.contains("standard input:2:1: ") && run.errors.contains("standard input:3: failed"), "\(run.errors)")
  }
}
