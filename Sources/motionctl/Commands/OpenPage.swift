import ArgumentParser

/// `motionctl open`
struct OpenPage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Print the address at which a browser shows motion; start motion-studio if it does not run.",
    usage: "motionctl open [--runtime-dir <dir>]",
    discussion: """
      The address holds a token that admits its bearer to change motion: do not pass it on. Viewers have tokens of \
      their own, which motion-studio viewer add makes.

      A motion-studio that this command starts runs until it is ended, and logs to log beside the file of its address, \
      in $XDG_RUNTIME_DIR/motion-studio.

      EXAMPLES
        xdg-open "$(motionctl open)"
      """)

  @Option(
    help: ArgumentHelp(
      "motiond's directory, for a motion-studio that is started (default: as for other commands).", valueName: "dir"),
    completion: .directory)
  var runtimeDir: String?

  func run() throws {
    let studio = StudioProgram(environment: Console.environment)
    let address = try studio.address() ?? studio.start(runtimeDirectory: runtimeDir)
    Console().print(address)
  }
}
