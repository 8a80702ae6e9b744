/// Reads the fields of one record's content; no read passes the end of it.
struct FieldReader {
  /// The reason why a field cannot be read.
  struct Fault: Error, Equatable {
    let reason: String

    static let short = Fault(reason: "a field ends beyond its record")
    static let text = Fault(reason: "a text is not UTF-8")
  }

  private let bytes: UnsafeRawBufferPointer
  private(set) var position = 0

  /// Reads `bytes`, which must stay where they are meanwhile.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The number of bytes left.
  var count: Int { bytes.count - position }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(Fault) -> Number {
    guard count >= MemoryLayout<Number>.size else { throw .short }
    defer { position += MemoryLayout<Number>.size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
  }

  /// This number of bytes.
  mutating func bytes(_ length: UInt64) throws(Fault) -> UnsafeRawBufferPointer {
    guard length <= UInt64(count) else { throw .short }
    defer { position += Int(length) }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(length)])
  }

  /// Bytes preceded by their length in 32 bits.
  mutating func block() throws(Fault) -> UnsafeRawBufferPointer { try bytes(UInt64(number(UInt32.self))) }

  mutating func text() throws(Fault) -> String {
    guard let text = String(validating: try block(), as: UTF8.self) else { throw .text }
    return text
  }

  /// A map of texts. Of a name that is repeated, the last value counts.
  mutating func texts() throws(Fault) -> [String: String] {
    var reader = FieldReader(try block())
    var texts: [String: String] = [:]
    while reader.count > 0 {
      let name = try reader.text()
      texts[name] = try reader.text()
    }
    return texts
  }

  /// A map from channels to numbers.
  mutating func numbers() throws(Fault) -> [UInt16: UInt64] {
    var reader = FieldReader(try block())
    var numbers: [UInt16: UInt64] = [:]
    while reader.count > 0 {
      let channel = try reader.number(UInt16.self)
      numbers[channel] = try reader.number()
    }
    return numbers
  }
}

extension MCAPHeader {
  init(from reader: inout FieldReader) throws(FieldReader.Fault) {
    profile = try reader.text()
    library = try reader.text()
  }
}

extension MCAPSchema {
  init(from reader: inout FieldReader) throws(FieldReader.Fault) {
    id = try reader.number()
    name = try reader.text()
    encoding = try reader.text()
    data = Array(try reader.block())
  }
}

extension MCAPChannel {
  init(from reader: inout FieldReader) throws(FieldReader.Fault) {
    id = try reader.number()
    schema = try reader.number()
    topic = try reader.text()
    messageEncoding = try reader.text()
    metadata = try reader.texts()
  }
}

extension MCAPMessage {
  init(from reader: inout FieldReader) throws(FieldReader.Fault) {
    channel = try reader.number()
    sequence = try reader.number()
    logTime = try reader.number()
    publishTime = try reader.number()
    data = Array(try reader.bytes(UInt64(reader.count)))
  }
}

extension MCAPMetadata {
  init(from reader: inout FieldReader) throws(FieldReader.Fault) {
    name = try reader.text()
    values = try reader.texts()
  }
}

extension MCAPChunk {
  /// Reads a chunk index.
  init(index reader: inout FieldReader) throws(FieldReader.Fault) {
    startTime = try reader.number()
    endTime = try reader.number()
    offset = try reader.number()
    length = try reader.number()
    let offsets = try reader.numbers()
    channels = offsets.isEmpty ? nil : offsets.keys.sorted()
    isWhole = true
  }
}

extension MCAPStatistics {
  init(from reader: inout FieldReader) throws(FieldReader.Fault) {
    messages = try reader.number()
    schemas = try reader.number()
    channels = try reader.number()
    attachments = try reader.number()
    metadata = try reader.number()
    chunks = try reader.number()
    startTime = try reader.number()
    endTime = try reader.number()
    channelMessages = try reader.numbers()
  }
}
