import ArgumentParser
import MotionClient
import MotionFiles
import MotionModel

/// `motionctl add`
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add one intention to targets.",
    usage: "motionctl add <type> --to <target> [--named <name>] [<field=value> ...]",
    discussion: """
      Write a value as in a transaction file; omit the quotes unless the shell needs them. Numbers separated by commas \
      are a vector, words in brackets a list. "motionctl list types" shows the types, "motionctl describe TYPE" their \
      fields. --target is another spelling of --to.

      A target may be a pattern, a group or a list: lamp*, lamp{1..12}, @front, left,right. It stands for the targets at \
      the moment of the commit, in natural order; the output reports how many. Over these, a value FROM..TO is spread \
      evenly, and with --stagger each begins later than the one before.

      Every intention may have priority=NUMBER, and after=DURATION: it begins that much later.

      EXAMPLES
        motionctl add SpringTo --to ball property=position destination=100,50
        motionctl add Tween --to ball property=opacity to=0 duration=300ms
        motionctl add Tween --to ball property=level values=0,1,0
        motionctl add SpringTo --to one --to two property=level destination=1
        motionctl add SpringTo --to 'lamp*' property=level destination=1
        motionctl add SpringTo --to 'lamp{1..12}' property=level destination=0..1
        motionctl add Tween --to @front property=level to=0 duration=2s --stagger 100ms --by position.x
        motionctl add SpringTo --to ball property=level destination=0 after=2s
        motionctl add Draggable --to square --named drag
        motionctl add Friction --to ball --named drag property=position coefficient=2
      """)

  @OptionGroup var commit: SingleCommitOptions

  @Option(
    name: .targets,
    help: ArgumentHelp(
      "The target to add it to. Repeat the option to add it to several targets in one transaction.",
      valueName: "target"),
    completion: .custom(Candidates.targets), transform: parsedSelector)
  var targets: [TargetSelector]

  @Option(
    help: ArgumentHelp("The name of the intention. It replaces an intention of that name.", valueName: "name"),
    transform: parsedName)
  var named: IntentionName?

  @Option(
    help: ArgumentHelp("How much later each target begins than the one before.", valueName: "duration"),
    transform: parsedDelay)
  var stagger: Duration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The property whose value orders the targets, instead of their names: x, -x for the greatest first, position.y.",
      valueName: "property"),
    transform: parsedOrder)
  var by: SpreadOrder?

  @Argument(
    help: "The type of intention, such as SpringTo.", completion: .custom(Candidates.types), transform: parsedName)
  var type: IntentionType

  @Argument(
    help: ArgumentHelp("The fields of the intention.", valueName: "field=value"),
    completion: .custom(Candidates.fields), transform: Add.parsedField)
  var fields: [FieldText.Argument] = []

  func validate() throws {
    var seen = Set<String>()
    if let twice = fields.first(where: { !seen.insert($0.name).inserted }) {
      throw ValidationError("the field \"\(twice.name)\" is given twice")
    }
    if fields.contains(where: { $0.name == "type" }) {
      throw ValidationError("the type comes before the fields: motionctl add \(type) --to \(targets[0]) …")
    }
    try checkDistinct(targets)
  }

  func run() throws {
    let client = try commit.connection.client()
    let catalog = try failing { () throws(MotionClientError) in try client.catalog() }
    try commit.commit(try transaction(knowing: catalog), client)
  }

  /// The one operation for each target, with the checks of a transaction file.
  private func transaction(knowing catalog: IntentionCatalog) throws(Failure) -> Transaction {
    var given: [FieldText.Argument] = []
    for field in fields { given.append(try Self.filled(field)) }
    do {
      return try Transaction.adding(type, given, named: named, to: targets, spread: spread, knowing: catalog)
    } catch {
      throw failure(error.errors[0])
    }
  }

  /// A field with the lines of the file that stands in its place: `patch=@rig.patch`.
  private static func filled(_ field: FieldText.Argument) throws(Failure) -> FieldText.Argument {
    guard case .text(let text) = field.json, text.hasPrefix("@") else { return field }
    let bytes = try FileBytes.read(String(text.dropFirst()), limit: DMXPatch.mostBytes, parts: "plans")
    let lines = String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return FieldText.Argument(name: field.name, json: .list(lines.map { .text(String($0)) }))
  }

  /// The members of the operation that tell how it differs from target to target.
  private var spread: [FieldText.Argument] {
    (stagger.map { [.init(name: "stagger", json: .text(DurationText.text(of: $0)))] } ?? [])
      + (by.map { [.init(name: "by", json: .text($0.description))] } ?? [])
  }

  /// The failure for an error in the arguments. Lines and columns are left out, because no file exists.
  private func failure(_ error: FileError) -> Failure {
    let place = error.field.map { "field \"\($0)\": " } ?? ""
    let remedy = error.remedy.isEmpty ? "motionctl describe \(type)" : error.remedy
    return Failure(.usage, place + error.message, remedy: remedy)
  }

  private static func parsedField(_ text: String) throws -> FieldText.Argument {
    if let place = text.firstRange(of: "=@"), !text[..<place.lowerBound].contains("=") {
      return .init(name: String(text[..<place.lowerBound]), json: .text("@" + text[place.upperBound...]))
    }
    guard let argument = FieldText.argument(parsing: text) else {
      throw ValidationError("write field=value, such as duration=300ms; give the target with --to")
    }
    return argument
  }
}
