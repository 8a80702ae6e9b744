import MotionModel

/// Reads what a ``SnapshotWriter`` wrote. Bytes that it cannot have written throw ``SnapshotDamage``.
struct SnapshotReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    place = 0
  }

  /// Whether all bytes have been read.
  var isAtEnd: Bool { place == bytes.endIndex }
  /// The error for bytes that make no sense here.
  var damage: SnapshotDamage { SnapshotDamage(place: place) }

  private mutating func byte() throws -> UInt8 {
    guard place < bytes.endIndex else { throw damage }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func number() throws -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let next = try byte()
      guard shift < 63 || next <= 1 else { throw damage }
      number |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return number }
      shift += 7
    }
  }

  /// A number below a bound.
  mutating func number(below bound: Int) throws -> Int {
    let number = try number()
    guard number < UInt64(bound) else { throw damage }
    return Int(number)
  }

  /// A number of bytes or elements, at most the bytes that follow.
  mutating func count() throws -> Int {
    let number = try number()
    guard number <= UInt64(bytes.endIndex - place) else { throw damage }
    return Int(number)
  }

  mutating func number32() throws -> UInt32 {
    guard let number = UInt32(exactly: try number()) else { throw damage }
    return number
  }

  mutating func flag() throws -> Bool {
    let byte = try byte()
    guard byte < 2 else { throw damage }
    return byte == 1
  }

  /// A double with any bits.
  mutating func anyDouble() throws -> Double {
    guard bytes.endIndex - place >= 8 else { throw damage }
    var bits: UInt64 = 0
    for index in 0..<8 { bits |= UInt64(bytes[place + index]) << UInt64(8 * index) }
    place += 8
    return Double(bitPattern: bits)
  }

  mutating func double() throws -> Double {
    let number = try anyDouble()
    guard number.isFinite else { throw damage }
    return number
  }

  mutating func text() throws -> String {
    let count = try count()
    defer { place += count }
    guard let text = String(validating: bytes[place..<place + count], as: UTF8.self) else { throw damage }
    return text
  }

  /// A vector of finite numbers.
  mutating func vector() throws -> SIMD4<Double> {
    let mask = try byte()
    guard mask < 16 else { throw damage }
    var vector = SIMD4<Double>.zero
    for lane in 0..<4 where mask & 1 << lane != 0 { vector[lane] = try double() }
    return vector
  }

  mutating func lanes() throws -> Lanes {
    let count = Int(try byte())
    guard (1...4).contains(count) else { throw damage }
    return Lanes(try vector(), count: count)
  }

  mutating func state() throws -> PropertyState {
    let value = try lanes()
    return PropertyState(value, velocity: Lanes(try vector(), count: value.count))
  }

  mutating func frame() throws -> Frame {
    Frame(number: try number(), time: try double(), dt: try double())
  }

  mutating func executor() throws -> ExecutorHandle { ExecutorHandle(try number32()) }

  mutating func identity() throws -> IntentionIdentity {
    IntentionIdentity(sequence: try number(), operation: try number32(), path: try list { try $0.number32() })
  }

  mutating func worker() throws -> WorkerAddress {
    guard let plugin = try? PluginName(try text()) else { throw damage }
    return WorkerAddress(plugin, try number(below: 1 << 20))
  }

  mutating func optional<Value>(
    _ body: (inout SnapshotReader) throws -> Value
  ) throws -> Value? {
    try flag() ? try body(&self) : nil
  }

  /// Each element takes at least one byte, so that damaged bytes cannot ask for more memory than they are long.
  mutating func list<Value>(
    _ body: (inout SnapshotReader) throws -> Value
  ) throws -> [Value] {
    let count = try count()
    var values: [Value] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }
}

/// The error for a snapshot that cannot be read.
struct SnapshotDamage: Error, CustomStringConvertible {
  /// The index of the byte at which this showed.
  let place: Int

  var description: String { "the snapshot is damaged at byte \(place)" }
}
