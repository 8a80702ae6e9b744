/// The numbers, checksums and sizes of the parts of a checkpoint, without their bodies: enough to detect which parts
/// have changed, and to seal all of them.
struct PartIndex: Equatable {
  private struct Entry: Equatable {
    var checksum: Digest
    var bytes: Int
  }

  private var entries: [UInt64: Entry] = [:]
  /// The total size of the parts in bytes.
  private(set) var bytes = 0

  /// An index without parts.
  init() {}

  /// Records a part.
  ///
  /// - Returns: whether it differs from the part recorded before.
  mutating func set(_ number: UInt64, _ checksum: Digest, bytes count: Int) -> Bool {
    let before = entries.updateValue(Entry(checksum: checksum, bytes: count), forKey: number)
    bytes += count - (before?.bytes ?? 0)
    return before?.checksum != checksum
  }

  /// Removes a part.
  ///
  /// - Returns: whether the index contained it.
  mutating func remove(_ number: UInt64) -> Bool {
    guard let before = entries.removeValue(forKey: number) else { return false }
    bytes -= before.bytes
    return true
  }

  /// The digest of all parts, in the order of their numbers.
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
