import MotionModel

/// Reads a JSON text byte by byte. Recursive as JSON is, to ``/MotionModel/Limits/jsonDepth``.
struct JSONReader {
  /// An error at a byte.
  struct Failure: Error {
    let offset: Int
    let found: String
    let expected: String
  }

  let bytes: [UInt8]
  var offset = 0
  private var values = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The current byte, or `nil` at the end.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func readDocument() throws(Failure) -> JSONValue {
    let value = try readValue(depth: 0)
    skipSpace()
    guard offset == bytes.count else { throw unexpected("the end of the text") }
    return value
  }

  private mutating func readValue(depth: Int) throws(Failure) -> JSONValue {
    skipSpace()
    let start = offset
    values += 1
    guard values <= Limits.jsonValues else {
      throw Failure(offset: start, found: "one value more", expected: "at most \(Limits.jsonValues) values")
    }
    guard depth <= Limits.jsonDepth else {
      throw Failure(offset: start, found: "one level more", expected: "at most \(Limits.jsonDepth) levels")
    }
    let content: JSONValue.Content
    switch byte {
    case UInt8(ascii: "{"): content = .object(try readMembers(depth: depth))
    case UInt8(ascii: "["): content = .array(try readElements(depth: depth))
    case UInt8(ascii: "\""): content = .string(try readString())
    case UInt8(ascii: "t"): content = try readWord("true", .bool(true))
    case UInt8(ascii: "f"): content = try readWord("false", .bool(false))
    case UInt8(ascii: "n"): content = try readWord("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: content = .number(try readNumber())
    default: throw unexpected("a value")
    }
    return JSONValue(content: content, offset: UInt32(start))
  }

  private mutating func readElements(depth: Int) throws(Failure) -> [JSONValue] {
    offset += 1
    var elements: [JSONValue] = []
    if takes("]") { return elements }
    while true {
      elements.append(try readValue(depth: depth + 1))
      if takes("]") { return elements }
      guard takes(",") else { throw unexpected("\",\" or \"]\"") }
    }
  }

  private mutating func readMembers(depth: Int) throws(Failure) -> [JSONMember] {
    offset += 1
    var members: [JSONMember] = []
    var keys = KeySet()
    if takes("}") { return members }
    while true {
      skipSpace()
      let keyOffset = offset
      guard byte == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
      let key = try readString()
      guard keys.insert(key, after: members) else {
        let text = JSONText.string(String(key.prefix(64)))
        throw Failure(offset: keyOffset, found: "\(text) again", expected: "another key")
      }
      guard takes(":") else { throw unexpected("\":\"") }
      members.append(JSONMember(key: key, keyOffset: UInt32(keyOffset), value: try readValue(depth: depth + 1)))
      if takes("}") { return members }
      guard takes(",") else { throw unexpected("\",\" or \"}\"") }
    }
  }

  private mutating func readWord(
    _ word: StaticString, _ content: JSONValue.Content
  ) throws(Failure) -> JSONValue.Content {
    let text = "\(word)".utf8
    guard bytes[offset...].starts(with: text) else { throw unexpected("\(word)") }
    offset += text.count
    return content
  }

  /// Skips space and the byte `character`; returns whether that byte was present.
  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard byte == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  /// Returns the failure to find `expected` at the current byte.
  func unexpected(_ expected: String) -> Failure {
    let found =
      switch byte {
      case nil: "the end of the text"
      case let byte? where byte >= 0x21 && byte <= 0x7E: "\"\(Unicode.Scalar(byte))\""
      case let byte?: "the byte 0x" + String(byte, radix: 16, uppercase: true)
      }
    return Failure(offset: offset, found: found, expected: expected)
  }
}

/// The keys of an object so far. They are compared one by one while they are few, as they nearly always are.
private struct KeySet {
  private var keys: Set<String> = []

  /// Adds `key` to the keys of `members`; returns false if it is already among them.
  mutating func insert(_ key: String, after members: [JSONMember]) -> Bool {
    // 16 comparisons cost about as much as one insertion.
    if members.count < 16 { return !members.contains { $0.key == key } }
    if keys.isEmpty { keys = Set(members.map(\.key)) }
    return keys.insert(key).inserted
  }
}
