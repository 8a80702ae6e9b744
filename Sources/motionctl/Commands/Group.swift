import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl group`
struct Group: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Name a group of targets, or remove it.",
    usage: """
      motionctl group <name> <target> ... [<options>]
      motionctl group <name> --none [<options>]
      """,
    discussion: """
      A group is a name for a list of targets, which need not exist yet: "@front" stands for its members wherever a \
      command or a transaction takes targets. It is part of motiond's state, for all clients, and kept over a restart. \
      Naming a group again replaces its members; what was committed before is not concerned. "motionctl list groups" \
      shows them.

      EXAMPLES
        motionctl group front lamp{1..4} spot
        motionctl group stage @front @back
        motionctl add SpringTo --to @front property=level destination=1
        motionctl group front --none
      """)

  @OptionGroup var commit: SingleCommitOptions

  @Flag(help: "Remove the group. Its members stay.")
  var none = false

  @OptionGroup var options: TargetOptions

  @Argument(help: "The name of the group.", transform: parsedGroup)
  var name: GroupName

  @Argument(
    help: ArgumentHelp("The members.", valueName: "target"), completion: .custom(Candidates.targets),
    transform: parsedSelector)
  var targets: [TargetSelector] = []

  func validate() throws {
    let isEmpty = targets.isEmpty && options.named.isEmpty
    if none, !isEmpty { throw ValidationError("--none removes the group: omit the targets") }
    if !none, isEmpty { throw ValidationError("name its targets, as in motionctl group front lamp1 lamp2, or --none") }
  }

  func run() throws {
    var transaction = Transaction()
    if none {
      transaction.ungroup(name)
    } else {
      let selector: TargetSelector
      do {
        selector = try TargetSelector((targets + options.named).map(\.text))
      } catch {
        throw Failure(.usage, error.description, remedy: "name fewer targets, or use patterns")
      }
      transaction.group(name, selector)
    }
    try commit.commit(transaction, try commit.connection.client())
  }
}

/// Reads the name of a group, with or without the sign that selects it.
private func parsedGroup(_ text: String) throws -> GroupName {
  try parsedName(text.hasPrefix("@") ? String(text.dropFirst()) : text)
}
