/// Hand-written Protobuf: bytes that a stranger may send, correct or wrong.
struct Raw {
  /// The bytes written so far.
  private(set) var bytes: [UInt8] = []

  /// A number in base 128.
  static func varint(_ number: UInt64) -> [UInt8] {
    number < 0x80
      ? [UInt8(number)] : [UInt8(truncatingIfNeeded: number) | 0x80] + varint(number >> 7)
  }

  /// A number.
  func number(_ field: UInt64, _ number: UInt64) -> Raw { appending(Self.varint(field << 3) + Self.varint(number)) }
  /// Bytes of any meaning: a message, a text, packed numbers.
  func bytes(_ field: UInt64, _ bytes: [UInt8]) -> Raw {
    appending(Self.varint(field << 3 | 2) + Self.varint(UInt64(bytes.count)) + bytes)
  }
  /// A message.
  func message(_ field: UInt64, _ message: Raw) -> Raw { bytes(field, message.bytes) }
  /// An empty message.
  func message(_ field: UInt64) -> Raw { bytes(field, []) }
  /// A text.
  func text(_ field: UInt64, _ text: String) -> Raw { bytes(field, Array(text.utf8)) }
  /// A floating-point number.
  func double(_ field: UInt64, _ number: Double) -> Raw {
    appending(Self.varint(field << 3 | 1) + Self.bytes(number))
  }
  /// Packed floating-point numbers.
  func doubles(_ field: UInt64, _ numbers: [Double]) -> Raw { bytes(field, numbers.flatMap(Self.bytes)) }
  /// Eight bytes.
  func fixed(_ field: UInt64, _ number: UInt64) -> Raw { double(field, Double(bitPattern: number)) }
  /// The same piece repeated, as long as it fits into so many bytes.
  func filling(_ most: Int, with piece: Raw) -> Raw {
    // Doubles the present bytes, which is quicker by far than to append millions of pieces.
    let count = most / piece.bytes.count * piece.bytes.count
    var filling = piece.bytes
    while filling.count < count { filling += filling }
    return appending(Array(filling.prefix(count)))
  }

  /// The same with more bytes after it.
  func appending(_ more: [UInt8]) -> Raw {
    var raw = self
    raw.bytes += more
    return raw
  }

  private static func bytes(_ number: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * $0)) }
  }
}

extension Raw {
  /// An envelope of version 1 with this body.
  static func envelope(_ field: UInt64, _ body: Raw) -> Raw { Raw().number(1, 1).message(field, body) }
  /// An answer with this graph.
  static func graph(_ graph: Raw) -> Raw { envelope(23, Raw().message(9, graph)) }
  /// A report of a worker's streams.
  static func streams(_ report: Raw) -> Raw { envelope(45, report) }
  /// A commit with this operation, after an operation that is correct.
  static func commit(_ operation: Raw) -> Raw {
    envelope(11, Raw().fixed(1, 7).message(3, Raw().text(3, "ball")).message(3, operation))
  }
  /// Input with this event.
  static func input(_ event: Raw) -> Raw {
    envelope(17, Raw().text(1, "ball").text(2, "pen").message(3, event))
  }
  /// A commit that adds an intention with this field.
  static func field(_ field: Raw) -> Raw {
    commit(Raw().message(1, Raw().message(1, Raw().text(1, "Tween").message(2, field)).text(2, "ball")))
  }
  /// A commit that adds an intention with a field of this value.
  static func value(_ value: Raw) -> Raw { field(Raw().text(1, "to").message(2, value)) }
}
