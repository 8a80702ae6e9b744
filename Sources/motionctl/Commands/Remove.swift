import ArgumentParser
import MotionModel

/// `motionctl remove`
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove a named intention from a target.",
    usage: "motionctl remove <name> --from <target> [<options>]",
    discussion: """
      A name that the target does not have is no error. "motionctl list intentions" shows the names.

      EXAMPLES
        motionctl remove drag --from square
        motionctl remove home --from ball --at +2s
      """)

  @OptionGroup var commit: SingleCommitOptions

  @Option(
    help: ArgumentHelp("The target to remove it from.", valueName: "target"),
    completion: .custom(Candidates.targets), transform: parsedName)
  var from: TargetName

  @Argument(help: "The name under which the intention was added.", transform: parsedName)
  var name: IntentionName

  func run() throws {
    try commit.commit(Transaction(log: [.remove(named: name, from: from)]), try commit.connection.client())
  }
}
