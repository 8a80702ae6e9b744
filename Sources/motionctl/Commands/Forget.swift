import ArgumentParser
import MotionModel

/// `motionctl forget`
struct Forget: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Forget targets, with their intentions and properties.",
    usage: "motionctl forget <target> ... [<options>]",
    discussion: """
      Forgetting a target that does not exist is not an error: nothing changes, and the output reports it. When a \
      forgotten target is used again, its properties start with their initial values.

      EXAMPLES
        motionctl forget ball
        motionctl forget ball square
      """)

  @OptionGroup var commit: SingleCommitOptions

  @OptionGroup var options: TargetOptions

  @Argument(
    help: ArgumentHelp("The targets.", valueName: "target"), completion: .custom(Candidates.targets),
    transform: parsedName)
  var targets: [TargetName] = []

  func validate() throws {
    if targets.isEmpty, options.named.isEmpty { throw ValidationError("name a target, as in motionctl forget ball") }
  }

  func run() throws {
    let forgotten = targets + options.named
    try commit.commit(Transaction(log: forgotten.map { .forget($0) }), try commit.connection.client())
  }
}
