/// Chains rows and checkpoints to those before them, so that a missing, altered or exchanged one is detected.
///
/// Each row has a digest of its body and a link: the digest of the previous link and of all fields of the row. So the
/// link of the last row covers every row of the journal's life. Checkpoints have a chain of their own; the link of a
/// checkpoint also covers the link of its row.
///
/// Integers are written least significant byte first, and lengths before the bytes that they count. A letter at the
/// beginning separates the kinds.
struct Seal {
  private var bytes: [UInt8] = []

  /// The link before the first row of the journal with this id.
  static func beginning(of id: [UInt8]) -> Digest { Digest(of: Array("motion journal 1".utf8) + id) }

  /// The link before the first checkpoint.
  static let beforeFirstCheckpoint = Digest.zero

  /// The link of a row that follows the row with the link `previous`. `checksum` is the digest of its body.
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

  /// The link of checkpoint `number`, which covers the rows up to the one with this sequence and link, and follows the
  /// checkpoint with the link `previous`.
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
