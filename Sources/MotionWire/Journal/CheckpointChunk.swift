/// Up to 512 targets, or plans, whose numbers follow each other: what of a checkpoint is written at once when one changes.
///
/// It notes in its bytes which of its places are taken, so that it can be read, changed and written again by whoever keeps
/// nothing of it in memory.
package struct CheckpointChunk {
  /// How many places a chunk has: some 40 kB of plans. Fewer would make more rows of a journal, more would write more for
  /// one that changed.
  package static let places = 512

  /// The field of the note: `places` of a checkpoint.
  private static let note: UInt64 = 10 << 3 | 2

  private var entries = [ArraySlice<UInt8>?](repeating: nil, count: places)

  /// Nothing in any place.
  package init() {}

  /// A chunk that was written before; `nil` if these are not the bytes of one.
  package init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    guard rest.takeVarint() == Self.note, let size = rest.takeVarint(), var taken = rest.take(size) else { return nil }
    while let low = taken.popFirst() {
      guard let high = taken.popFirst() else { return nil }
      let place = Int(low) | Int(high) << 8
      let start = rest
      guard place < Self.places, rest.takeVarint() != nil, let count = rest.takeVarint(), rest.take(count) != nil else {
        return nil
      }
      entries[place] = start[start.startIndex..<rest.startIndex]
    }
    guard rest.isEmpty else { return nil }
  }

  /// What is in a place: one field of a checkpoint, or nothing.
  package subscript(place: Int) -> ArraySlice<UInt8>? {
    get { entries[place] }
    set { entries[place] = newValue }
  }

  /// The bytes of the chunk; `nil` if nothing is in it.
  package var bytes: [UInt8]? {
    let taken = entries.indices.filter { entries[$0] != nil }
    guard !taken.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.reduce(2 * taken.count + 8) { $0 + ($1?.count ?? 0) })
    bytes.append(varint: Self.note)
    bytes.append(varint: UInt64(2 * taken.count))
    for place in taken { bytes += [UInt8(truncatingIfNeeded: place), UInt8(place >> 8)] }
    for place in taken { if let entry = entries[place] { bytes += entry } }
    return bytes
  }
}

extension ArraySlice<UInt8> {
  /// Takes a number off the front, as protobuf writes it; `nil` if there is none.
  fileprivate mutating func takeVarint() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: 0 as UInt64, to: 63, by: 7) {
      guard let byte = popFirst() else { return nil }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }

  /// Takes so many bytes off the front; `nil` if there are fewer.
  fileprivate mutating func take(_ count: UInt64) -> ArraySlice? {
    guard count <= UInt64(self.count) else { return nil }
    defer { removeFirst(Int(count)) }
    return prefix(Int(count))
  }
}
