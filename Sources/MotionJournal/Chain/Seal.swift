/// What ties rows and checkpoints to those before them, so that none can be missing, altered or exchanged unnoticed.
///
/// Each row has a digest of its body and a link: the digest of the link before it and of all that the row says. The link of
/// the last row so stands for all rows there ever were. Checkpoints have a chain of their own, in which each also stands
/// for the link of the row that it is of.
///
/// Integers are written with the least significant byte first, lengths before what they count, and a letter at the
/// beginning keeps kinds apart.
struct Seal {
  private var bytes: [UInt8] = []

  /// The link before the first row of the journal with this id.
  static func beginning(of id: [UInt8]) -> Digest { Digest(of: Array("motion journal 1".utf8) + id) }

  /// The link before its first checkpoint.
  static let beforeFirstCheckpoint = Digest.zero

  /// The link of a row, after the link of the one before it. `checksum` is the digest of its body.
  mutating func link(of row: JournalRow, checksum: Digest, after previous: Digest) -> Digest {
    begin("R", previous)
    add(row.sequence)
    add(UInt64(bitPattern: row.wallTime))
    for part in [row.identity, row.digest, row.answer] {
      add(UInt64(part.count))
      bytes += part
    }
    add(checksum)
    return Digest(of: bytes)
  }

  /// The link of the checkpoint with this number, of the row with this sequence and link, after the checkpoint before it.
  mutating func link(
    ofCheckpoint number: UInt64, sequence: UInt64, row: Digest, checksum: Digest, after previous: Digest
  ) -> Digest {
    begin("K", previous)
    add(number)
    add(sequence)
    add(row)
    add(checksum)
    return Digest(of: bytes)
  }

  private mutating func begin(_ kind: Unicode.Scalar, _ previous: Digest) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(UInt8(ascii: kind))
    add(previous)
  }

  private mutating func add(_ word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
  }

  private mutating func add(_ digest: Digest) {
    bytes += digest.bytes
  }
}
