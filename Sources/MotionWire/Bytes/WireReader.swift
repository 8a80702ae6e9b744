import MotionModel

/// Reads the fields of one protobuf message in place: it copies nothing, and no read passes the end of the message.
///
/// Source: the encoding section of the protobuf documentation. Groups, which proto3 does not have, are malformed here.
struct WireReader {
  private var position: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  /// Reads `bytes`, which must stay where they are meanwhile.
  init(_ bytes: UnsafeRawBufferPointer) { self.init(bytes.assumingMemoryBound(to: UInt8.self)) }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no address. Nothing is read at this one.
    position = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    end = position + bytes.count
  }

  /// A reader of nothing.
  init() { self.init(UnsafeBufferPointer(start: nil, count: 0)) }

  var isAtEnd: Bool { position == end }
  /// The number of bytes left.
  var count: Int { end - position }

  /// The number of the next field, times eight, plus its wire type.
  mutating func tag() throws(WireFault) -> UInt64 { try number() }

  /// A number in base 128 (varint), least significant digits first, of at most ten bytes.
  mutating func number() throws(WireFault) -> UInt64 {
    // Most numbers have one byte: tags, lengths, counts.
    if position < end, position.pointee < 0x80 {
      defer { position += 1 }
      return UInt64(position.pointee)
    }
    return try longNumber()
  }

  private mutating func longNumber() throws(WireFault) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard position < end else { throw .truncated }
      let byte = position.pointee
      position += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    throw .longNumber
  }

  /// A signed number of 32 bits in zigzag form; an error if it is larger.
  mutating func signed() throws(WireFault) -> Int32 {
    let short = try short()
    return Int32(bitPattern: short >> 1) ^ -Int32(short & 1)
  }

  /// A number of 32 bits; an error if it is larger.
  mutating func short() throws(WireFault) -> UInt32 {
    guard let short = UInt32(exactly: try number()) else { throw .unusual }
    return short
  }

  /// Eight bytes.
  mutating func fixed() throws(WireFault) -> UInt64 {
    guard count >= 8 else { throw .truncated }
    defer { position += 8 }
    return UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
  }

  /// A finite floating-point number.
  mutating func finite() throws(WireFault) -> Double {
    let number = Double(bitPattern: try fixed())
    guard number.isFinite else { throw .unusual }
    return number
  }

  /// A value of `count` finite lanes.
  mutating func lanes(_ count: Int) throws(WireFault) -> Lanes {
    guard self.count >= 8 * count else { throw .truncated }
    var storage = SIMD4<Double>.zero
    for lane in 0..<count {
      let bits = UnsafeRawPointer(position).loadUnaligned(fromByteOffset: 8 * lane, as: UInt64.self)
      storage[lane] = Double(bitPattern: UInt64(littleEndian: bits))
    }
    position += 8 * count
    // Infinities and NaN times 0 are NaN.
    guard storage * 0 == .zero else { throw .unusual }
    return Lanes(storage, count: count)
  }

  /// The bytes of a text, a message or packed numbers.
  mutating func bytes() throws(WireFault) -> UnsafeBufferPointer<UInt8> {
    let length = try number()
    guard length <= UInt64(count) else { throw .truncated }
    defer { position += Int(length) }
    return UnsafeBufferPointer(start: position, count: Int(length))
  }

  /// A message, or packed numbers.
  mutating func message() throws(WireFault) -> WireReader { WireReader(try bytes()) }

  /// A text; an error if it has more than `limit` bytes or is not UTF-8.
  mutating func text(atMost limit: Int) throws(WireFault) -> String {
    let bytes = try bytes()
    guard bytes.count <= limit, let text = String(validating: bytes, as: UTF8.self) else { throw .unusual }
    return text
  }

  /// A name that follows its rule.
  mutating func name<Rule>() throws(WireFault) -> Name<Rule> {
    let text = try text(atMost: Limits.textBytes)
    do { return try Name(text) } catch { throw .unusual }
  }

  /// Skips the value of a field with this tag.
  mutating func skip(_ tag: UInt64) throws(WireFault) {
    switch tag & 7 {
    case 0: _ = try number()
    case 1: _ = try fixed()
    case 2: _ = try bytes()
    case 5:
      guard count >= 4 else { throw .truncated }
      position += 4
    default: throw .wireType(UInt8(tag & 7))
    }
  }

  /// The number of the next field, and its content if it has a length. The value of any other field is skipped.
  mutating func field() throws(WireFault) -> (number: UInt64, content: WireReader?) {
    let tag = try tag()
    if tag & 7 == 2 { return (tag >> 3, try message()) }
    try skip(tag)
    return (tag >> 3, nil)
  }
}

/// The reason why a reader refuses bytes. It takes no memory, so that hot loops pay nothing for it.
enum WireFault: Error {
  /// The bytes end within a field.
  case truncated
  /// A number has more than ten bytes.
  case longNumber
  /// A field has a wire type that proto3 does not have.
  case wireType(UInt8)
  /// An envelope has more fields than ``EnvelopeFields/limit``.
  case fields
  /// The message is invalid, or its encoding is unusual: code that decodes only correct messages in the usual encoding
  /// refuses all others. The generated code then decodes the same bytes again and reports the error with its place.
  case unusual

  /// The error for the sender of the bytes.
  var error: WireError {
    switch self {
    case .fields: .limit("", EnvelopeFields.limit + 1, atMost: EnvelopeFields.limit, of: "fields")
    case .truncated: Self.error("they end too early", remedy: "Send the whole message")
    case .longNumber: Self.error("a number has more than ten bytes")
    case .wireType(let type): Self.error("there is no wire type \(type) in proto3")
    case .unusual: Self.error("its encoding is unusual")
    }
  }

  private static func error(_ reason: String, remedy: String = "Encode with motion.proto") -> WireError {
    WireError(.malformed, "the bytes are not a message: \(reason)", remedy: remedy)
  }
}
