package import MotionModel

/// The bytes of what a journal keeps: rows, the receipts of transactions, checkpoints.
///
/// Nothing is read or written here; whoever does says what damage means for them.
package enum JournalCoding {
  /// The most bytes of a row: the largest request, and what is said around it.
  package static let entryBytes = Limits.clientMessageBytes + 4096
  /// The most bytes of a checkpoint: what protobuf can say, less one.
  package static let checkpointBytes = Int(Int32.max) - 1

  /// The bytes of a row.
  package static func bytes(of entry: JournalEntry) -> [UInt8] { MessageBytes.encode(ProtoJournalEntry(entry)) }

  /// The row in these bytes.
  package static func entry(in bytes: [UInt8]) throws(WireError) -> JournalEntry {
    try decode(ProtoJournalEntry.self, .journalEntry, bytes, limit: entryBytes)
  }

  /// The bytes of a receipt, which is kept with the id of its transaction.
  package static func bytes(of receipt: Receipt) -> [UInt8] { MessageBytes.encode(ProtoReceipt(receipt)) }

  /// The receipt that was kept.
  package static func receipt(in bytes: [UInt8]) throws(WireError) -> Receipt {
    try decode(ProtoReceipt.self, .receipt, bytes, limit: entryBytes)
  }

  /// The bytes of a checkpoint. Whoever writes one each second puts it together with ``CheckpointBytes``.
  package static func bytes(of checkpoint: RuntimeCheckpoint) -> [UInt8] {
    MessageBytes.encode(ProtoCheckpoint(checkpoint))
  }

  /// The checkpoint in these bytes.
  package static func checkpoint(in bytes: [UInt8]) throws(WireError) -> RuntimeCheckpoint {
    try decode(ProtoCheckpoint.self, .checkpoint, bytes, limit: checkpointBytes)
  }

  private static func decode<Part: WireMessage>(
    _ part: Part.Type, _ shape: Shape, _ bytes: [UInt8], limit: Int
  ) throws(WireError) -> Part.Model {
    try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      try MessageBytes.decode(part, shape, buffer, limit: limit)
    }
  }
}
