import MotionModel

/// The size of a committed transaction in bytes, at most.
struct CommitSize {
  /// What the tag and the length of a field take, at most.
  private static let head = 8

  /// `nil` for a transaction that ``WireWriter/committed(_:_:_:)`` does not write.
  static func bound(_ transaction: Transaction, _ provenance: Provenance?) -> Int? {
    var bytes = 3 * head + 16
    for operation in transaction.log {
      switch operation {
      case .add(let intention, let name, let target):
        bytes += 8 * head + intention.type.text.utf8.count + target.text.utf8.count + (name?.text.utf8.count ?? 0)
        for field in intention.fields { bytes += 2 * head + field.name.utf8.count + bound(field.value) }
      case .remove(let name, let target): bytes += 4 * head + name.text.utf8.count + target.text.utf8.count
      case .forget(let target): bytes += 2 * head + target.text.utf8.count
      case .removePlan, .limit, .group, .scene, .cues: return nil
      }
    }
    guard let provenance else { return bytes }
    bytes += 3 * head + provenance.comment.utf8.count + bound(provenance.client)
    return bytes + (provenance.onBehalfOf.map { head + bound($0) } ?? 0)
  }

  private static func bound(_ committer: Committer) -> Int {
    5 * head + committer.name.utf8.count + committer.key.utf8.count
  }

  private static func bound(_ value: FieldValue) -> Int {
    switch value {
    case .number, .flag: head + 8
    case .vector(let lanes): 2 * head + 8 * lanes.count
    case .text(let text), .choice(let text): head + text.utf8.count
    case .duration: head + 24
    case .property(let name): head + name.text.utf8.count
    case .list(let elements): elements.reduce(head) { $0 + head + bound($1) }
    case .reference(let reference):
      3 * head + reference.target.text.utf8.count + reference.property.text.utf8.count
    }
  }
}

extension WireWriter {
  /// Writes the fields of a committed transaction that adds, removes and forgets. They are those of the generated code.
  mutating func committed(_ sequence: UInt64, _ transaction: Transaction, _ provenance: Provenance?) {
    number(1, sequence)
    for operation in transaction.log { nested(2) { $0.operation(operation) } }
    guard let provenance else { return }
    nested(3) { writer in
      writer.nested(1) { $0.committer(provenance.client) }
      if let principal = provenance.onBehalfOf { writer.nested(2) { $0.committer(principal) } }
      writer.number(3, UInt64(bitPattern: provenance.wallTime))
      writer.text(4, provenance.comment)
    }
  }

  private mutating func committer(_ committer: Committer) {
    text(1, Encode.text(committer.name, atMost: Limits.clientNameBytes))
    if let user = committer.user { number(2, UInt64(user), always: true) }
    if let process = committer.process { number(3, UInt64(bitPattern: Int64(process)), always: true) }
    text(4, committer.key)
  }

  private mutating func operation(_ operation: Transaction.Operation) {
    switch operation {
    case .add(let intention, let name, let target):
      nested(1) { writer in
        writer.nested(1) { $0.intention(intention) }
        writer.text(2, target.text)
        if let name { writer.text(3, name.text, always: true) }
      }
    case .remove(let name, let target):
      nested(2) { writer in
        writer.text(1, name.text)
        writer.text(2, target.text)
      }
    case .forget(let target): text(3, target.text, always: true)
    case .removePlan, .limit, .group, .scene, .cues: preconditionFailure("the generated code writes \(operation)")
    }
  }

  private mutating func intention(_ intention: Intention) {
    text(1, intention.type.text)
    for field in intention.fields {
      nested(2) { writer in
        writer.text(1, field.name)
        writer.nested(2) { $0.value(field.value) }
      }
    }
    let priority = intention.priority
    number(3, UInt64(UInt32(bitPattern: priority << 1 ^ priority >> 31)))
    fixed(4, intention.after.bitPattern)
  }

  private mutating func value(_ value: FieldValue) {
    switch value {
    case .number(let number): fixed(1, number.bitPattern, always: true)
    case .vector(let lanes):
      nested(2) { writer in
        writer.beginning(1, of: 8 * lanes.count)
        writer.lanes(lanes.storage, count: lanes.count)
      }
    case .text(let text): self.text(3, text, always: true)
    case .flag(let flag): number(4, flag ? 1 : 0, always: true)
    case .duration(let duration):
      let proto = ProtoDuration(duration)
      nested(5) { writer in
        writer.number(1, UInt64(bitPattern: proto.nanoseconds))
        writer.number(2, UInt64(bitPattern: proto.attoseconds))
      }
    case .property(let name): text(6, name.text, always: true)
    case .choice(let word): text(7, word, always: true)
    case .list(let elements):
      nested(8) { writer in
        for element in elements { writer.nested(1) { $0.value(element) } }
      }
    case .reference(let reference):
      nested(9) { writer in
        writer.text(1, reference.target.text)
        writer.text(2, reference.property.text)
      }
    }
  }

  /// Writes a text; nothing if it is empty, as in proto3, unless the field has explicit presence.
  mutating func text(_ field: UInt64, _ text: String, always: Bool = false) {
    if text.isEmpty && !always { return }
    beginning(field, of: text.utf8.count)
    append(text.utf8)
  }
}
