/// The minimum contents of the journal: its last row and its last checkpoint, each with its link.
///
/// The head is stored outside the database, because a database that has lost its end is consistent in itself.
struct JournalHead: Sendable, Hashable {
  /// The id of the journal: 16 random bytes.
  var id: [UInt8]
  /// The last row; 0 before the first.
  var sequence: UInt64
  /// The link of that row.
  var link: Digest
  /// The number of checkpoints so far.
  var checkpoint: UInt64
  /// The link of the last checkpoint.
  var checkpointLink: Digest

  static let idBytes = 16

  /// The head of a new journal.
  init(newWith id: [UInt8]) {
    self.init(
      id: id, sequence: 0, link: Seal.beginning(of: id), checkpoint: 0, checkpointLink: Seal.beforeFirstCheckpoint)
  }

  init(id: [UInt8], sequence: UInt64, link: Digest, checkpoint: UInt64, checkpointLink: Digest) {
    precondition(id.count == Self.idBytes, "the id of a journal has \(id.count) bytes")
    self.id = id
    self.sequence = sequence
    self.link = link
    self.checkpoint = checkpoint
    self.checkpointLink = checkpointLink
  }

  /// Whether nothing was ever acknowledged.
  var isNew: Bool { sequence == 0 && checkpoint == 0 }
}

/// One slot of the head's file. Of two intact slots, the newer one is valid.
package struct HeadSlot: Sendable, Hashable {
  /// Grows with each write.
  var generation: UInt64
  var head: JournalHead

  /// Two slots, each in a block of its own, so that a torn write leaves the other slot intact. Every disk in use
  /// writes blocks of at most 4096 bytes independently.
  package static let distance = 4096
  /// The size of the file in bytes.
  static let fileBytes = 2 * distance
  /// Magic, generation, id, sequence, link, checkpoint, its link, and the digest of all these.
  package static let byteCount = magic.count + 8 + JournalHead.idBytes + 2 * (8 + Digest.byteCount) + Digest.byteCount

  private static let magic = Array("MotionH1".utf8)

  /// The offset of this slot in the file.
  var offset: Int { Int(generation % 2) * Self.distance }

  /// The bytes to write at ``offset``.
  package var encoded: [UInt8] {
    var bytes = Self.magic
    bytes += generation.littleEndianBytes
    bytes += head.id
    bytes += head.sequence.littleEndianBytes
    bytes += head.link.bytes
    bytes += head.checkpoint.littleEndianBytes
    bytes += head.checkpointLink.bytes
    bytes += Digest(of: bytes).bytes
    return bytes
  }

  init(generation: UInt64, head: JournalHead) {
    self.generation = generation
    self.head = head
  }

  /// Decodes a slot; `nil` if it is not as it was written.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= Self.byteCount else { return nil }
    let content = bytes.prefix(Self.byteCount - Digest.byteCount)
    let stored = bytes.dropFirst(content.count).prefix(Digest.byteCount)
    guard content.starts(with: Self.magic), Digest(stored: stored) == Digest(of: Array(content)) else { return nil }
    var rest = content.dropFirst(Self.magic.count)
    func take(_ count: Int) -> ArraySlice<UInt8> {
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    generation = UInt64(littleEndian: take(8))
    let id = Array(take(JournalHead.idBytes))
    let sequence = UInt64(littleEndian: take(8))
    guard let link = Digest(stored: take(Digest.byteCount)) else { return nil }
    let checkpoint = UInt64(littleEndian: take(8))
    guard let checkpointLink = Digest(stored: take(Digest.byteCount)) else { return nil }
    head = JournalHead(
      id: id, sequence: sequence, link: link, checkpoint: checkpoint, checkpointLink: checkpointLink)
  }

  /// The newest intact slot in the file; `nil` if both are damaged.
  package static func newest(in file: [UInt8]) -> HeadSlot? {
    [0, distance].compactMap { HeadSlot(file.dropFirst($0).prefix(byteCount)) }.max { $0.generation < $1.generation }
  }
}

extension UInt64 {
  /// The number in these bytes, least significant first.
  fileprivate init(littleEndian bytes: some Collection<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  fileprivate var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}
