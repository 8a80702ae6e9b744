/// The help of the shell, for its users.
enum ShellHelp {
  static let text = """
    Every command of motionctl works here without its name: list properties ball, commit show.json, pause, step 10.

    SHORT FORMS
      ball.position ~ 100,50                        a spring to this value (SpringTo)
      ball.position ~ 100,50 bounce=0.3 duration=0.5
      lamp.opacity -> 0 in 2s                       a tween to this value (Tween)
      lamp.opacity -> 0 in 2s ease-out delay=100ms

    LOOKING BACK
      at -30s              list, graph, draw, why and describe answer from there: a moment of the last minutes
      at show.mcap -30s    the same of a recording
      at 01:58:12          another moment of it; also 12.5s, -30s, frame:7200
      at now               the daemon again
      Commands that change something always reach the daemon.

    JSON
      A line that begins with { is a transaction, as in a file for commit. It goes on over
      further lines until its brackets are closed.

    KEYS
      TAB completes commands, options, targets, properties, types and fields.
      Ctrl-C ends a command, Ctrl-D the shell; Ctrl-R searches in the lines before.

      help            this text
      help COMMAND    a command and its options
      help motionctl  all commands
      exit            end the shell
    """
}
