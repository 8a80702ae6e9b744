import ArgumentParser
import MotionModel

/// `motionctl forget`
struct Forget: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Forget targets, with their intentions and properties, or the last minutes.",
    usage: """
      motionctl forget <target> ... [<options>]
      motionctl forget --history [<options>]
      """,
    discussion: """
      Forgetting a target that does not exist is not an error: nothing changes, and the output reports it. When a \
      forgotten target is used again, its properties start with their initial values.

      --history erases what motiond keeps of the last minutes; everything moves on. The journal and recordings are not \
      touched.

      EXAMPLES
        motionctl forget ball
        motionctl forget ball square
        motionctl forget 'lamp*'
        motionctl forget --history
      """)

  @OptionGroup var commit: SingleCommitOptions

  @Flag(help: "Erase what motiond keeps of the last minutes.")
  var history = false

  @OptionGroup var options: TargetOptions

  @Argument(
    help: ArgumentHelp("The targets.", valueName: "target"), completion: .custom(Candidates.targets),
    transform: parsedSelector)
  var targets: [TargetSelector] = []

  func validate() throws {
    guard !history else {
      if !targets.isEmpty || !options.named.isEmpty {
        throw ValidationError("--history concerns all targets: omit them")
      }
      return
    }
    if targets.isEmpty, options.named.isEmpty { throw ValidationError("name a target, as in motionctl forget ball") }
  }

  func run() throws {
    if history {
      return try DaemonHistory(commit.connection).erase(commit.reading)
    }
    var transaction = Transaction()
    for target in TargetSelector.operations(targets + options.named) { transaction.forget(each: target) }
    try commit.commit(transaction, try commit.connection.client())
  }
}
