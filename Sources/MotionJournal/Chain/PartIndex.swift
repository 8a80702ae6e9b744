/// What the parts of a checkpoint are, without their bytes: enough to tell which have changed, and to seal them all.
struct PartIndex: Equatable {
  private struct Entry: Equatable {
    var checksum: Digest
    var bytes: Int
  }

  private var entries: [UInt64: Entry] = [:]
  /// How many bytes they have in all.
  private(set) var bytes = 0

  /// No parts.
  init() {}

  /// Parts that were found.
  init(_ parts: [StoredPart]) {
    for part in parts { _ = set(part.number, part.checksum ?? .zero, bytes: part.body.count) }
  }

  /// Takes note of a part.
  ///
  /// - Returns: whether it is another one than before.
  mutating func set(_ number: UInt64, _ checksum: Digest, bytes count: Int) -> Bool {
    let before = entries.updateValue(Entry(checksum: checksum, bytes: count), forKey: number)
    bytes += count - (before?.bytes ?? 0)
    return before?.checksum != checksum
  }

  /// Takes a part out.
  ///
  /// - Returns: whether it was there.
  mutating func remove(_ number: UInt64) -> Bool {
    guard let before = entries.removeValue(forKey: number) else { return false }
    bytes -= before.bytes
    return true
  }

  /// The digest of all of them, in the order of their numbers.
  var checksum: Digest {
    var list: [UInt8] = []
    list.reserveCapacity(entries.count * (8 + Digest.byteCount))
    for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
      withUnsafeBytes(of: number.littleEndian) { list += $0 }
      list += entry.checksum.bytes
    }
    return Digest(of: list)
  }
}
