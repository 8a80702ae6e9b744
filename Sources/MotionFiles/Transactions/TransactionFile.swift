public import MotionModel

/// A transaction read from a file, with the options of its commit.
///
///     {"transaction": [
///       {"add": {"type": "Tween", "property": "opacity", "from": 0, "to": 1, "duration": "300ms"}, "to": "circle"},
///       {"add": {"type": "Draggable"}, "named": "drag", "to": "square"},
///       {"remove": "drag", "from": "square"},
///       {"remove": {"intention": "49.0"}, "from": "square"},
///       {"forget": "old"},
///       {"limit": {"range": [-1, 1], "velocity": 2, "acceleration": 8}, "property": "angle", "on": "head"},
///       {"limit": "none", "property": "opacity", "on": "circle"},
///       {"group": "front", "targets": ["lamp{1..4}", "spot"]},
///       {"add": {"type": "SpringTo", "property": "level", "destination": 1}, "to": "@front"},
///       {"add": {"type": "SpringTo", "property": "level", "destination": {"from": 0, "to": 1}, "after": "2s"},
///        "to": "lamp*", "stagger": "100ms", "by": "position.x"},
///       {"scene": "dusk", "targets": "lamp*"},
///       {"recall": "day", "in": "2s"}
///     ], "at": 12.5}
///
/// An intention with `after` begins later than the others. Of a selector, a value with `from` and `to` is spread over the
/// targets, and `stagger` is the time from one beginning to the next; `by` orders the targets
/// (``/MotionModel/Spread``).
///
/// Except with an identity, in place of a target may be a selector (``/MotionModel/TargetSelector``) or a list of targets and
/// selectors. A group or a scene without targets is removed.
///
/// Optional members beside `transaction`: `id` (32 hexadecimal digits), `at` (seconds of simulated time, or a duration;
/// with a plus sign, such as `"+5s"`, counted from the moment of the commit), `whileConnected`, and `comment` (for
/// people, at most 256 bytes). An intention may have a `priority` beside its fields. A plan is removed by its name, or by its identity as `motionctl list intentions` shows
/// it.
public struct TransactionFile: Hashable, Sendable {
  /// The requested operations.
  public var transaction: Transaction
  /// The id to commit it with, if the file has one.
  public var id: TransactionID?
  /// The time at which to apply it.
  public var at: CommitTime?
  /// Whether its intentions are removed once the client has stopped sending.
  public var whileConnected: Bool
  /// The reason, for people; may be empty.
  public var comment: String

  /// Creates a transaction with the options of its commit.
  public init(
    _ transaction: Transaction, id: TransactionID? = nil, at: CommitTime? = nil, whileConnected: Bool = false,
    comment: String = ""
  ) {
    self.comment = comment
    self.transaction = transaction
    self.id = id
    self.at = at
    self.whileConnected = whileConnected
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: the file's contents: JSON in UTF-8, at most ``/MotionModel/Limits/transactionFileBytes``.
  ///   - name: the file's name, for the errors.
  ///   - catalog: the known types of intentions; it decides how each JSON value is interpreted.
  ///   - isRig: whether other operations than limits are errors.
  /// - Throws: ``FileErrors`` with all errors: operation, field, line, column and remedy.
  public init(
    _ bytes: [UInt8], named name: String, catalog: IntentionCatalog, isRig: Bool = false
  ) throws(FileErrors) {
    var reader = TransactionFileReader(
      try FileReader(bytes, named: name, limit: Limits.transactionFileBytes), catalog: catalog, isRig: isRig)
    let file = reader.read()
    guard reader.errors.isEmpty, let file else { throw FileErrors(reader.errors) }
    self = file
  }

  /// Returns the place in a file that a daemon's refusal refers to: the field, or else the operation.
  ///
  /// - Parameters:
  ///   - refusal: the daemon's refusal of the transaction that was read from the file.
  ///   - bytes: the file's contents.
  ///   - name: the file's name.
  /// - Returns: the refusal with its place in the file, or `nil` if it names no operation in the file.
  public static func error(for refusal: Refusal, in bytes: [UInt8], named name: String) -> FileError? {
    guard let file = try? FileReader(bytes, named: name, limit: Limits.transactionFileBytes),
      let index = refusal.operation, case .array(let operations)? = file.root.member("transaction")?.content,
      operations.indices.contains(index)
    else { return nil }
    let operation = operations[index]
    let field = refusal.field.flatMap { operation.member("add")?.member($0) ?? operation.member($0) }
    return FileError(
      file: name, position: file.position(of: field ?? operation.member("add") ?? operation), operation: index,
      field: refusal.field, message: refusal.message, remedy: refusal.remedy)
  }

  /// Returns the file's text, one operation a line. Reading it gives the same transaction, if its intentions are valid.
  public func encoded() -> String {
    var members: [String] = []
    if let id { members.append("\"id\": \"\(id)\"") }
    if let at { members.append("\"at\": \(at.layout)") }
    if whileConnected { members.append("\"whileConnected\": true") }
    if !comment.isEmpty { members.append("\"comment\": \(JSONText.string(comment))") }
    let operations = transaction.layouts.map { "  " + $0.line }.joined(separator: ",\n")
    members.append("\"transaction\": [" + (operations.isEmpty ? "]" : "\n\(operations)\n]"))
    return "{" + members.joined(separator: ", ") + "}\n"
  }
}

extension Transaction {
  /// The operations in the form of a file.
  var layouts: [JSONLayout] {
    log.indices.map { log[$0].layout(each: selectors[$0], spreads[$0], recalls[$0]) }
  }
}

extension Transaction.Operation {
  /// The operation in the form of a file, with a selector in place of its target.
  func layout(
    each selector: TargetSelector? = nil, _ spread: Spread? = nil, _ recall: SceneRecall? = nil
  ) -> JSONLayout {
    let targets = JSONLayout.text(selector?.text ?? target?.text ?? "")
    switch self {
    case .add(let intention, let name, _):
      let fields = intention.fields.map { field in
        let last = spread?.to.first { $0.name == field.name }
        return (key: field.name, value: last.map { .ends(field.value, $0.value) } ?? field.value.layout)
      }
      let common = intention.commonMembers.map { (key: $0.key, value: JSONLayout.number($0.value)) }
      let add = JSONLayout.object([(key: "type", value: .text(intention.type.text))] + fields + common)
      let named = name.map { [(key: "named", value: JSONLayout.text($0.text))] } ?? []
      return .object([(key: "add", value: add)] + named + [(key: "to", value: targets)] + (spread?.members ?? []))
    case .remove(let name, _):
      return .object([(key: "remove", value: .text(name.text)), (key: "from", value: targets)])
    case .removePlan(let identity, _):
      let plan = JSONLayout.object([(key: "intention", value: .text(identity.description))])
      return .object([(key: "remove", value: plan), (key: "from", value: targets)])
    case .forget: return .object([(key: "forget", value: targets)])
    case .group(let name, let members):
      let value = selector.map { JSONLayout.text($0.text) } ?? .array(members.map { .text($0.text) })
      return .object([(key: "group", value: .text(name.text)), (key: "targets", value: value)])
    case .scene(let name, let scene):
      if let recall { return recall.layout }
      let value = selector.map { JSONLayout.text($0.text) } ?? .array(scene.targets.map { .text($0.name.text) })
      return .object([(key: "scene", value: .text(name.text)), (key: "targets", value: value)])
    case .cues(let name, .list(let list)): return CueListFile(list, named: name).layout
    // It is made of a command, and is no operation of a file.
    case .cues(let name, .position(let position)):
      return .object([
        (key: "cue list", value: .text(name.text)), (key: "position", value: .number(Double(position.next))),
      ])
    case .limit(let property, _, let setting):
      return .object([
        (key: "limit", value: setting.layout), (key: "property", value: .text(property.text)),
        (key: "on", value: targets),
      ])
    }
  }
}

extension JSONLayout {
  /// The values for the first and the last target.
  fileprivate static func ends(_ first: FieldValue, _ last: FieldValue) -> JSONLayout {
    .object([(key: "from", value: first.layout), (key: "to", value: last.layout)])
  }
}

extension SceneRecall {
  /// The recall in the form of a file.
  fileprivate var layout: JSONLayout {
    var members = [(key: "recall", value: JSONLayout.text(scene.text))]
    if case .fade(let seconds) = transition { members.append((key: "in", value: .number(seconds))) }
    return .object(members)
  }
}

extension Spread {
  /// The members of an operation in a file, besides the values of fields.
  fileprivate var members: [(key: String, value: JSONLayout)] {
    (stagger == 0 ? [] : [(key: "stagger", value: .number(stagger))])
      + (by.map { [(key: "by", value: .text($0.description))] } ?? [])
  }
}

extension CommitTime {
  /// The time in the form of a transaction file.
  fileprivate var layout: String {
    switch self {
    case .absolute(let seconds): JSONText.number(seconds)
    case .relative(let seconds): "\"+\(JSONText.number(seconds))s\""
    }
  }
}
