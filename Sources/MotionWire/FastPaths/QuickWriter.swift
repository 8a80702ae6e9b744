import MotionModel

/// Appends protobuf fields to growing bytes. Fields with the value 0 are left out, as in proto3.
struct QuickWriter {
  private(set) var bytes: [UInt8]

  /// Starts after the bytes of `prefix`, with room for `capacity` more bytes.
  init(_ prefix: [UInt8], capacity: Int) {
    bytes = []
    bytes.reserveCapacity(prefix.count + capacity)
    bytes += prefix
  }

  /// Writes the fields of the envelope that identify the sender and the message.
  mutating func header(of envelope: Envelope) {
    number(1, UInt64(envelope.body.versions.upperBound))
    number(2, envelope.epoch)
    fixed(3, envelope.incarnation)
    number(4, envelope.sequence)
    number(5, envelope.replyTo)
    fixed(6, envelope.sent)
    guard let moment = envelope.moment else { return }
    let mark = begin(7)
    double(1, moment.time)
    number(2, UInt64(bitPattern: moment.wallTime))
    end(mark)
  }

  /// Writes the fields of an update without events.
  mutating func update(_ update: WorkerUpdate) {
    let writes = update.writes
    number(1, update.frame)
    number(2, update.commandsApplied)
    guard !writes.isEmpty else { return }
    packed(3) { writer in for write in writes { writer.varint(UInt64(write.executor.rawValue)) } }
    packed(4) { writer in for write in writes { writer.varint(UInt64(write.property.rawValue)) } }
    packed(5) { writer in for write in writes { writer.varint(UInt64(write.state.value.count)) } }
    packed(6) { writer in for write in writes { writer.lanes(of: write.state.value) } }
    packed(7) { writer in
      for write in writes { writer.lanes(of: Lanes(write.state.velocity.storage, count: write.state.value.count)) }
    }
    if writes.contains(where: { !$0.imposes.isEmpty }) {
      packed(8) { writer in for write in writes { writer.varint(UInt64(write.imposes.rawValue)) } }
    }
    if writes.contains(where: { $0.remaining != nil }) {
      packed(9) { writer in
        for write in writes { writer.eight(write.remaining.map { max(0, $0) }?.bitPattern ?? (-1.0).bitPattern) }
      }
    }
  }

  /// Writes a field with a number in base 128 (varint).
  mutating func number(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    varint(field << 3)
    varint(value)
  }

  /// Writes a field with explicit presence: 0 is written, too.
  mutating func member(_ field: UInt64, _ value: UInt64) {
    varint(field << 3)
    varint(value)
  }

  /// Appends bytes that are encoded fields already.
  mutating func append(_ fields: [UInt8]) { bytes += fields }

  /// Writes a field of eight bytes.
  mutating func fixed(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    varint(field << 3 | 1)
    eight(value)
  }

  /// Writes a field with a double. Minus zero does not count as 0.
  mutating func double(_ field: UInt64, _ value: Double) { fixed(field, value.bitPattern) }

  /// Writes a nested message that consists of these parts.
  mutating func message(_ field: UInt64, _ parts: [UInt8]...) {
    beginning(field, ofMessageOf: parts.reduce(0) { $0 + $1.count })
    for part in parts { bytes += part }
  }

  /// Writes the tag and the length of a nested message.
  mutating func beginning(_ field: UInt64, ofMessageOf count: Int) {
    varint(field << 3 | 2)
    varint(UInt64(count))
  }

  /// Begins a nested message. The caller passes the result to ``end(_:)``.
  mutating func begin(_ field: UInt64) -> Int {
    varint(field << 3 | 2)
    bytes.append(0)
    return bytes.count
  }

  /// Ends a nested message: its length is inserted before it. A message of 128 bytes or more is moved to make room for
  /// that.
  mutating func end(_ mark: Int) {
    var count = UInt64(bytes.count - mark)
    if count < 0x80 { return bytes[mark - 1] = UInt8(count) }
    var length: [UInt8] = []
    while count >= 0x80 {
      length.append(UInt8(truncatingIfNeeded: count) | 0x80)
      count >>= 7
    }
    length.append(UInt8(count))
    bytes.replaceSubrange(mark - 1..<mark, with: length)
  }

  private mutating func packed(_ field: UInt64, _ body: (inout QuickWriter) -> Void) {
    let mark = begin(field)
    body(&self)
    end(mark)
  }

  private mutating func lanes(of value: Lanes) {
    for lane in 0..<value.count { eight(value.storage[lane].bitPattern) }
  }

  private mutating func varint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends eight bytes, the least significant first.
  private mutating func eight(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
