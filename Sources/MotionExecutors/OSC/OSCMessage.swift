import MotionModel

/// A message of Open Sound Control 1.0 whose arguments are numbers of 32 bits.
struct OSCMessage: Hashable, Sendable {
  /// Where it goes within the receiver: "/ball/position", in ASCII.
  let address: String
  /// Its arguments.
  let arguments: [Float]

  /// How many bytes it takes: address, type tags and arguments, each a multiple of four.
  var byteCount: Int {
    // The type tags begin with a comma.
    Self.paddedCount(address.utf8.count) + Self.paddedCount(1 + arguments.count) + 4 * arguments.count
  }

  /// Adds its bytes to a packet.
  func append(to packet: inout [UInt8]) {
    Self.append(string: address.utf8, to: &packet)
    Self.append(string: ("," + String(repeating: "f", count: arguments.count)).utf8, to: &packet)
    for argument in arguments { packet.append(bigEndian: argument.bitPattern) }
  }

  /// The bytes of a text of `count`: a zero at least ends it, and zeros fill it up to a multiple of four.
  private static func paddedCount(_ count: Int) -> Int { (count / 4 + 1) * 4 }

  private static func append(string: String.UTF8View, to packet: inout [UInt8]) {
    packet.append(contentsOf: string)
    packet.append(contentsOf: repeatElement(0, count: paddedCount(string.count) - string.count))
  }
}

extension OSCMessage {
  /// What says where a property is: a number per lane to `address`, and as many to `address/velocity` if that is wanted.
  ///
  /// Receivers are not prepared for what is no number: of a state that is not finite nothing is said. A lane beyond what
  /// 32 bits can say becomes the largest that they can.
  static func messages(
    of state: PropertyState, to address: String, withVelocity: Bool
  ) -> [OSCMessage]? {
    guard state.isWellFormed else { return nil }
    let value = OSCMessage(address: address, arguments: arguments(state.value))
    guard withVelocity else { return [value] }
    return [value, OSCMessage(address: address + "/velocity", arguments: arguments(state.velocity))]
  }

  private static func arguments(_ lanes: Lanes) -> [Float] {
    let largest = Double(Float.greatestFiniteMagnitude)
    return lanes.array.map { Float(min(max($0, -largest), largest)) }
  }
}

extension [UInt8] {
  /// Adds a number, its highest byte first.
  mutating func append(bigEndian number: UInt32) {
    for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
  }
}
