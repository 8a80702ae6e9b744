import ArgumentParser
import Glibc
import MotionArguments
import MotionModel

/// `motionctl shell`
struct RunShell: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Type commands one after the other, or run a script of them.",
    usage: "motionctl shell [<script>] [--keep-going] [<options>]",
    discussion: """
      In the shell every command is written without "motionctl". TAB completes commands, options, targets, properties, \
      types and fields; "help" shows the keys. Lines are kept in $XDG_STATE_HOME/motionctl/history (~/.local/state), \
      except those that begin with a space.

      Two short forms commit a plan for one property:
        ball.position ~ 100,50 bounce=0.3        a SpringTo
        lamp.opacity -> 0 in 2s ease-out         a Tween

      A line that begins with { is a transaction, as in a file for motionctl commit. It goes on over further lines \
      until its brackets are closed.

      Without a terminal, or with a script, the lines are run as they arrive, without a prompt. A # begins a comment. \
      The script ends at the first line that fails, with the exit code of that line.

      EXAMPLES
        motionctl shell
        motionctl shell < show.motion
        motionctl shell show.motion --keep-going
        motionctl shell --connect tcp://stage:7077 --key me.key --server-key stage.pub
      """)

  @OptionGroup var connection: ConnectionOptions

  @Flag(help: "Run all lines of a script. The exit code is that of the first line that failed.")
  var keepGoing = false

  @Argument(
    help: ArgumentHelp("The script to run (default: standard input).", valueName: "script"), completion: .file())
  var script: String?

  func run() throws {
    let source = script ?? "-"
    let descriptor = try FileBytes.open(source)
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    let isTerminal = script == nil && isatty(descriptor) == 1
    let session = try ShellSession(
      connection, source: FileBytes.shownName(source), readsInput: descriptor == STDIN_FILENO && !isTerminal)
    ShellSession.current = session
    defer { ShellSession.current = nil }
    let interpreter = ShellInterpreter(session) { CommandRun.run($0, Console()) }
    if isTerminal {
      var shell = try InteractiveShell(session, interpreter, completion: Self.completion)
      shell.interact()
    } else {
      var shell = ScriptShell(
        session, interpreter, ScriptReader(descriptor, named: FileBytes.shownName(source)), keepsGoing: keepGoing)
      let status = try shell.run()
      // The line has printed its error.
      if status != .success { throw ExitCode(status.rawValue) }
    }
  }

  /// What can follow a line; `nil` if the parser describes its commands in another way than expected.
  private static func completion() -> Completion? {
    guard let program = try? Motionctl.described() else { return nil }
    return Completion(program: program) { arguments in
      do {
        _ = try Motionctl.parseAsRoot(arguments)
        return []
      } catch {
        return Motionctl.fullMessage(for: error).split(separator: "\n").map(String.init)
      }
    }
  }
}
