package import MotionModel

/// Encodes and decodes the contents of a journal: rows, the receipts of transactions, checkpoints.
///
/// It reads and writes no file. The caller decides the consequence of damaged bytes.
package enum JournalCoding {
  /// The maximum size of a row in bytes: the largest request, and the fields around it.
  package static let entryBytes = Limits.clientMessageBytes + 4096
  /// The maximum size of a checkpoint in bytes: the limit of protobuf, less one.
  package static let checkpointBytes = Int(Int32.max) - 1

  /// The bytes of a row.
  package static func bytes(of entry: JournalEntry) -> [UInt8] { MessageBytes.encode(ProtoJournalEntry(entry)) }

  /// The bytes of the row of a commit, which contains the commit as its client encoded it. Encoding the commit again
  /// takes 3 µs for each operation; copying its bytes costs next to nothing.
  ///
  /// - Parameter said: the bytes of the commit, as they were read.
  package static func bytes(
    ofCommit sequence: UInt64, said: [UInt8], client: UInt64, frame: Frame, time: Double,
    applied: UInt64? = nil, by provenance: Provenance? = nil
  ) -> [UInt8] {
    let origin = provenance.map { MessageBytes.encode(ProtoProvenance($0)) }
    // Each field takes eleven bytes at most beside the bytes of a message.
    let place = WireWriter.bytes(atMost: 64 + (origin?.count ?? 0)) { writer in
      writer.number(1, sequence)
      writer.fixed(3, client)
      if let origin {
        writer.beginning(4, of: origin.count)
        writer.append(origin)
      }
      writer.beginning(2, of: said.count)
    }
    return WireWriter.bytes(atMost: 96 + place.count + said.count) { writer in
      writer.nested(1) { $0.frame(frame) }
      writer.double(2, time)
      writer.beginning(3, of: place.count + said.count)
      writer.append(place)
      writer.append(said)
      if let applied { writer.number(8, applied, always: true) }
    }
  }

  /// The row in these bytes.
  package static func entry(in bytes: [UInt8]) throws(WireError) -> JournalEntry {
    try decode(ProtoJournalEntry.self, .journalEntry, bytes, limit: entryBytes)
  }

  /// The bytes of a receipt, which is stored with the id of its transaction.
  package static func bytes(of receipt: Receipt) -> [UInt8] { MessageBytes.encode(ProtoReceipt(receipt)) }

  /// The stored receipt in these bytes.
  package static func receipt(in bytes: [UInt8]) throws(WireError) -> Receipt {
    try decode(ProtoReceipt.self, .receipt, bytes, limit: entryBytes)
  }

  /// The bytes of a checkpoint. A writer that stores one each second composes it with ``CheckpointBytes`` instead.
  package static func bytes(of checkpoint: RuntimeCheckpoint) -> [UInt8] {
    MessageBytes.encode(ProtoCheckpoint(checkpoint))
  }

  /// The checkpoint in these bytes.
  package static func checkpoint(in bytes: [UInt8]) throws(WireError) -> RuntimeCheckpoint {
    try decode(ProtoCheckpoint.self, .checkpoint, bytes, limit: checkpointBytes)
  }

  /// The row in these bytes, for recovery at a start. A plan that cannot be decoded does not keep the others from
  /// continuing. A placeholder that every runtime refuses (``Intention/unreadable(_:_:)``) takes its place.
  package static func recoveredEntry(in bytes: [UInt8]) throws(WireError) -> JournalEntry {
    let message = try message(ProtoJournalEntry.self, .journalEntry, bytes, limit: entryBytes)
    guard case .commit(var committed)? = message.event else { return try message.model() }
    let log = ProtoOperation.recovered(committed.commit.operations)
    committed.commit.operations = []
    var rest = message
    rest.event = .commit(committed)
    var entry = try rest.model()
    if case .commit(let sequence, var commit, let client) = entry.event {
      commit.transaction = Transaction(log: log)
      entry.event = .commit(sequence: sequence, commit, client: client)
    }
    return entry
  }

  /// The checkpoint in these bytes, for recovery at a start; plans that cannot be decoded are treated likewise.
  package static func recoveredCheckpoint(in bytes: [UInt8]) throws(WireError) -> RuntimeCheckpoint {
    let message = try message(ProtoCheckpoint.self, .checkpoint, bytes, limit: checkpointBytes)
    var rest = message
    (rest.plans, rest.waiting) = ([], [])
    var checkpoint = try rest.model()
    let last = checkpoint.lastSequence
    for plan in message.plans {
      guard let plan = plan.recovered() else { continue }
      try ProtoCheckpoint.check(plan.identity.sequence, "plans.identity.sequence", upTo: last)
      checkpoint.plans.append(plan)
    }
    checkpoint.waiting = try Decode.list(message.waiting, "waiting", atMost: Limits.storedTransactions) {
      waiting throws(WireError) in
      try ProtoCheckpoint.check(waiting.sequence, "sequence", upTo: last)
      return RuntimeCheckpoint.Waiting(
        at: try Decode.finite(waiting.at, "at"), sequence: waiting.sequence,
        Transaction(log: ProtoOperation.recovered(waiting.operations)),
        by: try Decode.optional(waiting.hasProvenance, waiting.provenance, "provenance"))
    }
    return checkpoint
  }

  private static func message<Part: WireMessage>(
    _ part: Part.Type, _ shape: Shape, _ bytes: [UInt8], limit: Int
  ) throws(WireError) -> Part {
    try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      try MessageBytes.message(part, shape, buffer, limit: limit)
    }
  }

  private static func decode<Part: WireMessage>(
    _ part: Part.Type, _ shape: Shape, _ bytes: [UInt8], limit: Int
  ) throws(WireError) -> Part.Model {
    try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      try MessageBytes.decode(part, shape, buffer, limit: limit)
    }
  }
}
