import ArgumentParser
import MotionModel

extension NameSpecification {
  /// The names of the target options. Every command that takes targets accepts each of them, as often as it takes
  /// targets.
  static let targets: NameSpecification = [.customLong("target"), .customLong("to"), .customLong("from")]
}

/// Targets as options, for commands that take them as arguments as well: users need not remember which command takes
/// which form.
struct TargetOptions: ParsableArguments {
  @Option(
    name: .targets, help: ArgumentHelp("A target, as an option. Repeat it for several.", valueName: "target"),
    completion: .custom(Candidates.targets), transform: parsedSelector)
  var named: [TargetSelector] = []
}

/// The same for commands in which `--from` and `--to` name a part of a recording.
struct TargetOption: ParsableArguments {
  @Option(
    name: .customLong("target"),
    help: ArgumentHelp("A target, as an option. Repeat it for several.", valueName: "target"),
    completion: .custom(Candidates.targets), transform: parsedSelector)
  var named: [TargetSelector] = []
}

/// Watched places as an option, for such commands.
struct PlaceOption: ParsableArguments {
  @Option(
    name: .customLong("target"),
    help: ArgumentHelp("The same, as an option. Repeat it for several.", valueName: "target[/property]"),
    completion: .custom(Candidates.places), transform: WatchedPlace.init(parsing:))
  var named: [WatchedPlace] = []
}

/// Watched places as options, for commands that take them as arguments as well.
struct PlaceOptions: ParsableArguments {
  @Option(
    name: .targets,
    help: ArgumentHelp("The same, as an option. Repeat it for several.", valueName: "target[/property]"),
    completion: .custom(Candidates.places), transform: WatchedPlace.init(parsing:))
  var named: [WatchedPlace] = []
}

/// Refuses a target that is given twice.
func checkDistinct(_ targets: [TargetSelector]) throws {
  var seen = Set<TargetSelector>()
  if let twice = targets.first(where: { !seen.insert($0).inserted }) {
    throw ValidationError("the target \"\(twice)\" is given twice")
  }
}
