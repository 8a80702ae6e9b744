/// Up to 512 targets, or plans, with consecutive numbers: the unit of a checkpoint that is written when one of them
/// changes.
///
/// Its bytes contain a list of its occupied places. So a writer that keeps none of it in memory can read, change and
/// rewrite it.
package struct CheckpointChunk {
  /// The number of places in a chunk: some 40 kB of plans. Fewer places would mean more rows in a journal; more places
  /// would mean more bytes written for one change.
  package static let places = 512

  /// The tag of the list of occupied places: the field `places` of a checkpoint.
  private static let note: UInt64 = 10 << 3 | 2

  private var entries = [ArraySlice<UInt8>?](repeating: nil, count: places)

  /// An empty chunk.
  package init() {}

  /// A chunk that was written before; `nil` if the bytes are not those of a chunk.
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

  /// The entry at a place: one field of a checkpoint, or `nil`.
  package subscript(place: Int) -> ArraySlice<UInt8>? {
    get { entries[place] }
    set { entries[place] = newValue }
  }

  /// The bytes of the chunk; `nil` if it is empty.
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
  /// Takes a number in the varint encoding of protobuf off the front; `nil` if there is none.
  fileprivate mutating func takeVarint() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: 0 as UInt64, to: 63, by: 7) {
      guard let byte = popFirst() else { return nil }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }

  /// Takes `count` bytes off the front; `nil` if there are fewer.
  fileprivate mutating func take(_ count: UInt64) -> ArraySlice? {
    guard count <= UInt64(self.count) else { return nil }
    defer { removeFirst(Int(count)) }
    return prefix(Int(count))
  }
}
