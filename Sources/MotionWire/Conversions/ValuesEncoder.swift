import MotionModel
import SwiftProtobuf

/// Writes an envelope with values straight into its bytes: the one message that is sent every frame and may be large.
///
/// The bytes are those that the generated code would make; a test compares them. Going through the generated message
/// would copy every array twice and look at each number by itself.
struct ValuesEncoder {
  private let values: Values
  /// The envelope without its body, and the numbers of the body before its arrays: small, so made the ordinary way.
  private let head: [UInt8]
  private let front: [UInt8]
  private let handleBytes: Int
  private let lateBytes: Int
  private let forgottenBytes: Int
  private let bodyBytes: Int

  /// The tag of the body in the envelope: field 30, with a length.
  private static let bodyTag: UInt64 = 30 << 3 | 2

  /// Measures the message.
  init(_ envelope: Envelope, _ values: Values) {
    self.values = values
    head = MessageBytes.encode(
      ProtoEnvelope.with {
        $0.protocol = UInt32(envelope.body.versions.upperBound)
        $0.epoch = envelope.epoch
        $0.incarnation = envelope.incarnation
        $0.sequence = envelope.sequence
        $0.replyTo = envelope.replyTo
        $0.sent = envelope.sent
      })
    front = MessageBytes.encode(
      ProtoValues.with {
        $0.frame = values.frame
        $0.time = values.time
        $0.dt = values.dt
      })
    handleBytes = Self.bytes(of: values.handles)
    lateBytes = Self.bytes(of: values.late)
    forgottenBytes = Self.bytes(of: values.forgotten)
    bodyBytes =
      front.count + Self.field(handleBytes) + Self.field(values.counts.count) + Self.field(values.lanes.count * 8)
      + Self.field(values.velocities.count * 8) + Self.field(lateBytes) + Self.field(forgottenBytes)
      + (values.isComplete ? 2 : 0) + (values.part > 0 ? 1 + Self.size(UInt64(values.part)) : 0)
      + (values.hasMore ? 2 : 0)
  }

  /// The message behind `prefix`, in one allocation.
  func bytes(behind prefix: [UInt8]) -> [UInt8] {
    let count =
      prefix.count + head.count + Self.size(Self.bodyTag) + Self.size(UInt64(bodyBytes)) + bodyBytes
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
      writer.write(prefix)
      writer.write(head)
      writer.write(Self.bodyTag)
      writer.write(UInt64(bodyBytes))
      writer.write(front)
      writer.write(packed: 4, values.handles, bytes: handleBytes)
      writer.write(packed: 5, values.counts)
      writer.write(packed: 6, values.lanes)
      writer.write(packed: 7, values.velocities)
      writer.write(packed: 8, values.late, bytes: lateBytes)
      if values.isComplete { writer.write(number: 9, 1) }
      writer.write(packed: 10, values.forgotten, bytes: forgottenBytes)
      if values.part > 0 { writer.write(number: 11, UInt64(values.part)) }
      if values.hasMore { writer.write(number: 12, 1) }
      initialized = writer.count
    }
  }

  /// The bytes of these handles, packed.
  private static func bytes(of handles: [PropertyHandle]) -> Int {
    handles.reduce(0) { $0 + size(UInt64($1.rawValue)) }
  }

  /// The bytes of a packed field with so many bytes in it: its tag (of one byte: fields 1 to 15), length and content.
  private static func field(_ bytes: Int) -> Int { bytes == 0 ? 0 : 1 + size(UInt64(bytes)) + bytes }

  /// The bytes of a number in base 128.
  private static func size(_ number: UInt64) -> Int { (70 - (number | 1).leadingZeroBitCount) / 7 }
}

/// Writes protobuf fields into a buffer that has been measured for them.
private struct WireWriter {
  private let buffer: UnsafeMutableRawBufferPointer
  /// How many bytes were written.
  private(set) var count = 0

  init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  mutating func write(_ bytes: [UInt8]) {
    UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: bytes)
    count += bytes.count
  }

  /// A number in base 128, least significant digits first.
  mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      buffer[count] = UInt8(truncatingIfNeeded: rest) | 0x80
      count += 1
      rest >>= 7
    }
    buffer[count] = UInt8(rest)
    count += 1
  }

  /// A field that holds one number.
  mutating func write(number field: UInt64, _ value: UInt64) {
    write(field << 3)
    write(value)
  }

  /// Handles as numbers in base 128.
  mutating func write(packed field: UInt64, _ handles: [PropertyHandle], bytes: Int) {
    if handles.isEmpty { return }
    write(field << 3 | 2)
    write(UInt64(bytes))
    for handle in handles { write(UInt64(handle.rawValue)) }
  }

  /// Numbers below 128, each of which is its own encoding.
  mutating func write(packed field: UInt64, _ counts: [UInt8]) {
    if counts.isEmpty { return }
    write(field << 3 | 2)
    write(UInt64(counts.count))
    write(counts)
  }

  /// Numbers of eight bytes, as they lie in memory: little-endian, as on every machine that Linux and Swift run on.
  mutating func write(packed field: UInt64, _ numbers: [Double]) {
    if numbers.isEmpty { return }
    write(field << 3 | 2)
    write(UInt64(numbers.count * 8))
    numbers.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
    }
    count += numbers.count * 8
  }
}
