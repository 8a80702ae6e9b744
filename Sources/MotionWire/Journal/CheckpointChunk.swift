/// Up to 512 targets, or plans, with consecutive numbers: the unit of a checkpoint that is written when one of them
/// changes.
///
/// Its bytes contain a list of its occupied places. So a writer that keeps none of it in memory can read, change and
/// rewrite it.
package struct CheckpointChunk {
  /// The number of places in a chunk: some 40 kB of plans. Fewer places would mean more rows in a journal; more places
  /// would mean more bytes written for one change.
  package static let places = 512

  /// The list of occupied places: the field `places` of a checkpoint.
  private static let note: UInt64 = 10

  private var entries = [ArraySlice<UInt8>?](repeating: nil, count: places)

  /// An empty chunk.
  package init() {}

  /// A chunk that was written before; `nil` if the bytes are not those of a chunk.
  package init?(_ bytes: [UInt8]) {
    guard (try? read(bytes)) != nil else { return nil }
  }

  private mutating func read(_ bytes: [UInt8]) throws(WireFault) {
    try bytes.span.bytes.withUnsafeBytes { buffer throws(WireFault) in
      var reader = WireReader(buffer)
      guard try reader.tag() == Self.note << 3 | 2 else { throw .unusual }
      let taken = try reader.bytes()
      guard taken.count % 2 == 0 else { throw .unusual }
      for index in stride(from: 0, to: taken.count, by: 2) {
        let place = Int(taken[index]) | Int(taken[index + 1]) << 8
        guard place < Self.places else { throw .unusual }
        let start = bytes.count - reader.count
        _ = try reader.tag()
        _ = try reader.bytes()
        entries[place] = bytes[start..<bytes.count - reader.count]
      }
      guard reader.isAtEnd else { throw .unusual }
    }
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
    return WireWriter.bytes(atMost: entries.reduce(2 * taken.count + 8) { $0 + ($1?.count ?? 0) }) { writer in
      writer.beginning(Self.note, of: 2 * taken.count)
      for place in taken { writer.append([UInt8(truncatingIfNeeded: place), UInt8(place >> 8)]) }
      for case let entry? in entries { writer.append(entry) }
    }
  }
}
