import MotionModel
import MotionWire

/// The approximate size of an answer as a message, known before the message is made: rows share the runtime's memory,
/// while a message copies it several times.
struct AnswerSize: Equatable {
  /// Bytes: an upper bound.
  private(set) var bytes = 0
  /// Elements of lists, which receivers count too.
  private(set) var elements = 0

  /// Whether receivers accept it.
  var isAcceptable: Bool {
    bytes <= Limits.clientMessageBytes && elements <= Envelope.mostElements(of: Limits.clientMessageBytes)
  }

  /// The same for a message of known length.
  func isAcceptable(ofBytes bytes: Int) -> Bool {
    bytes <= Limits.clientMessageBytes - Self.envelopeBytes
      && elements <= Envelope.mostElements(of: Limits.clientMessageBytes)
  }

  /// An upper bound for the part of a message around its answer.
  private static let envelopeBytes = 1024

  /// The size of an empty answer.
  init() {}

  /// Adds the size of a piece of an answer.
  mutating func add(_ piece: AnswerPiece) {
    switch piece.rows {
    case .targets(let rows): for row in rows { add(row) }
    case .properties(let rows): for row in rows { add(row) }
    case .executors(let rows): for row in rows { add(row) }
    case .intentions(let rows): for (_, row) in rows { add(row) }
    case .tokens(let rows): for row in rows { add(row) }
    case .waiting(let rows): for row in rows { add(row) }
    case .nodes(let nodes): for node in nodes { add(node) }
    case .edges(let edges): for _ in edges { add(0, numbers: 20) }
    }
  }

  /// The size of an answer.
  init(_ answer: Answer) {
    switch answer {
    case .targets(let rows): for row in rows { add(row) }
    case .properties(let rows): for row in rows { add(row) }
    case .executors(let rows): for row in rows { add(row) }
    case .intentions(let rows): for row in rows { add(row) }
    case .tokens(let rows): for row in rows { add(row) }
    case .types(let descriptions): for description in descriptions { add(description) }
    case .graph(let graph): add(graph)
    case .waiting(let rows): for row in rows { add(row) }
    case .why(let explanation): add(explanation)
    // Bounded in other ways: by the number of inputs, clients, plugins and workers, and by logs that share ``Coordinator/logBytes``.
    case .plugins, .status, .inputs, .clients: break
    // At most a few MB, and known only when they are encoded.
    case .scenes, .cues: break
    case .groups(let rows): for row in rows { for member in row.members { add(member.text.utf8.count) } }
    // Known only when it is encoded.
    case .snapshot: break
    }
  }

  /// Adds an element of a list with so many bytes of text. Its numbers, tags and lengths take 60 bytes at most; those
  /// of a row with a state, 140.
  private mutating func add(_ text: Int, numbers: Int = 60) {
    bytes += numbers + text
    elements += 1
  }

  private mutating func add(_ graph: RuntimeGraph) {
    for node in graph.nodes { add(node) }
    for _ in graph.edges { add(0, numbers: 20) }
    for remark in graph.remarks { add(remark.utf8.count) }
  }

  private mutating func add(_ node: RuntimeGraph.Node) {
    add(0, numbers: 16)
    switch node {
    case .target(let row): add(row)
    case .property(let row): add(row)
    case .executor(let row): add(row)
    case .intention(let row): add(row)
    case .token(let row): add(row)
    case .source(let call), .operator(let call): bytes += call.utf8.count
    }
  }

  private mutating func add(_ row: TargetRow) { add(row.target.text.utf8.count) }

  private mutating func add(_ row: WaitingRow) {
    add(row.summary.utf8.count)
    if let provenance = row.provenance { add(provenance) }
  }

  private mutating func add(_ provenance: Provenance) {
    bytes += 60 + provenance.comment.utf8.count
    for committer in [provenance.client, provenance.onBehalfOf].compactMap(\.self) {
      bytes += 30 + committer.name.utf8.count + committer.key.utf8.count
    }
  }

  private mutating func add(_ row: TokenRow) { add(row.executor.bytes + row.token.text.utf8.count) }

  private mutating func add(_ row: PropertyRow) {
    add(row.reference.target.text.utf8.count + row.reference.property.text.utf8.count, numbers: 140)
    if let driver = row.driver { bytes += driver.text.utf8.count }
    // Limits of five times four lanes, and two of a demand.
    if row.limits != nil { add(0, numbers: 20 * 9) }
    if row.demand != nil { add(0, numbers: 8 * 9) }
    for _ in row.because { add(0) }
    for type in row.waiting { add(type.text.utf8.count) }
  }

  private mutating func add(_ explanation: Explanation) {
    add(0, numbers: 500)
    add(explanation.property)
    let plans = [explanation.plan].compactMap(\.self) + explanation.ancestors + explanation.together
    for row in plans + explanation.waiting { add(row) }
    if let provenance = explanation.former?.provenance { add(provenance) }
    bytes += explanation.worker?.quarantine.utf8.count ?? 0
  }

  private mutating func add(_ row: ExecutorRow) {
    add(row.key.bytes + (row.worker?.plugin.text.utf8.count ?? 0))
    for token in row.tokens { add(token.text.utf8.count) }
    for property in row.drives { add(property.text.utf8.count) }
  }

  private mutating func add(_ row: IntentionRow) {
    let names = row.target.text.utf8.count + (row.name?.text.utf8.count ?? 0) + row.executor.text.utf8.count
    add(names + row.intention.type.text.utf8.count + row.reason.utf8.count)
    if let provenance = row.provenance { add(provenance) }
    if row.input != nil { add(0, numbers: 4 * 9) }
    for field in row.intention.fields {
      add(field.name.utf8.count)
      add(field.value)
    }
  }

  private mutating func add(_ value: FieldValue) {
    switch value {
    case .text(let text), .choice(let text): bytes += text.utf8.count
    case .property(let name): bytes += name.text.utf8.count
    case .reference(let reference): bytes += reference.target.text.utf8.count + reference.property.text.utf8.count
    case .list(let values):
      for value in values {
        add(0)
        add(value)
      }
    case .number, .vector, .flag, .duration: break
    }
  }

  private mutating func add(_ type: IntentionDescription) {
    add(type.type.text.utf8.count + type.executor.text.utf8.count + type.documentation.utf8.count)
    for name in type.writes + type.reads { add(name.text.utf8.count) }
    for group in type.exclusive + type.requiresOneOf {
      add(0)
      for name in group { add(name.utf8.count) }
    }
    for field in type.fields {
      add(field.name.utf8.count + field.unit.utf8.count + field.documentation.utf8.count, numbers: 140)
      for choice in field.choices { add(choice.utf8.count) }
      for _ in field.accepts + field.elements { add(0) }
      if let value = field.defaultValue { add(value) }
    }
  }
}

extension ExecutorKey {
  fileprivate var bytes: Int { target.text.utf8.count + type.text.utf8.count }
}
