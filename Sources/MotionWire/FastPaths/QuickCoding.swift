import MotionModel

/// Encodes and decodes by hand the two messages that every frame waits for: ticks, and updates without events.
///
/// The bytes are those of the generated code, which handles all other messages. Bytes from outside that look unusual
/// here are left to it too, so that it alone reports errors. Encoding and decoding a tick and its update takes 1.5 µs
/// instead of 11.
enum QuickCoding {
  /// The field of a tick in the envelope.
  static let tick: UInt64 = 60
  /// The field of an update in the envelope.
  static let update: UInt64 = 70

  /// The message preceded by `prefix`; `nil` if it is of another kind.
  static func bytes(of envelope: Envelope, behind prefix: [UInt8]) -> [UInt8]? {
    var writer: QuickWriter
    let mark: Int
    switch envelope.body {
    case .tick(let tick):
      writer = QuickWriter(prefix, capacity: 128)
      writer.header(of: envelope)
      mark = writer.begin(Self.tick)
      let frame = writer.begin(1)
      writer.number(1, tick.frame.number)
      writer.double(2, tick.frame.time)
      writer.double(3, tick.frame.dt)
      writer.end(frame)
      writer.number(2, tick.lastCommand)
    case .update(let update) where update.events.isEmpty:
      writer = QuickWriter(prefix, capacity: 128 + 96 * update.writes.count)
      writer.header(of: envelope)
      mark = writer.begin(Self.update)
      writer.update(update)
    default: return nil
    }
    writer.end(mark)
    return writer.bytes
  }

  /// The message in these bytes; `nil` if it is of another kind, or is encoded differently from this code.
  static func envelope(in bytes: UnsafeRawBufferPointer) throws(WireError) -> Envelope? {
    var scanner = WireScanner(bytes)
    var header = EnvelopeHeader()
    var body: Envelope.Body?
    var fields = 0
    while let (number, value) = try scanner.next() {
      fields += 1
      guard fields <= EnvelopeHeader.mostFields else { return nil }
      if header.note(number, value) { continue }
      switch (number, value) {
      case (tick, .bytes(let range)) where body == nil: body = try self.tick(in: bytes, range)
      case (update, .bytes(let range)) where body == nil: body = try self.update(in: bytes, range)
      default: return nil
      }
      if body == nil { return nil }
    }
    guard let body, header.protocolVersion == UInt64(ProtocolVersion.messages.upperBound) else { return nil }
    return Envelope(
      epoch: header.epoch, incarnation: header.incarnation, sequence: header.sequence, replyTo: header.replyTo,
      sent: header.sent, body)
  }

  /// Whether these bytes have one update, and the update has only fields that are decoded here.
  static func looksLikeValues(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Bool {
    var (scanner, updates, fields) = (WireScanner(bytes), 0, 0)
    while let (number, value) = try scanner.next() {
      fields += 1
      guard fields <= EnvelopeHeader.mostFields else { return false }
      guard number == update, case .bytes(let range) = value else { continue }
      updates += 1
      var (inner, members) = (WireScanner(bytes, in: range), 0)
      while let (number, _) = try inner.next() {
        members += 1
        guard (1...9).contains(number), members <= EnvelopeHeader.mostFields else { return false }
      }
    }
    return updates == 1
  }

  private static func tick(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(WireError) -> Envelope.Body? {
    var scanner = WireScanner(bytes, in: range)
    var (frame, command) = (Frame?.none, UInt64(0))
    while let (number, value) = try scanner.next() {
      switch (number, value) {
      case (1, .bytes(let range)) where frame == nil:
        frame = try self.frame(in: bytes, range)
        if frame == nil { return nil }
      case (2, .varint(let found)): command = found
      default: return nil
      }
    }
    return frame.map { .tick(Tick(frame: $0, lastCommand: command)) }
  }

  private static func frame(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(WireError) -> Frame? {
    var scanner = WireScanner(bytes, in: range)
    var (count, time, dt) = (UInt64(0), 0.0, 0.0)
    while let (number, value) = try scanner.next() {
      switch (number, value) {
      case (1, .varint(let found)): count = found
      case (2, .fixed64(let found)): time = Double(bitPattern: found)
      case (3, .fixed64(let found)): dt = Double(bitPattern: found)
      default: return nil
      }
    }
    guard count <= Decode.highestOrdinal, time.isFinite, dt.isFinite, dt >= 0 else { return nil }
    return Frame(number: count, time: time, dt: dt)
  }

  private static func update(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(WireError) -> Envelope.Body?
  {
    var scanner = WireScanner(bytes, in: range)
    var (frame, command) = (UInt64(0), UInt64(0))
    var arrays = QuickArrays(bytes)
    while let (number, value) = try scanner.next() {
      switch (number, value) {
      case (1, .varint(let found)): frame = found
      case (2, .varint(let found)): command = found
      case (3...9, .bytes(let range)): guard arrays.note(range, of: Int(number)) else { return nil }
      default: return nil
      }
    }
    return arrays.writes().map { .update(WorkerUpdate(frame: frame, writes: $0, commandsApplied: command)) }
  }
}
