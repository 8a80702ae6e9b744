import MotionModel

/// A message of Open Sound Control 1.0 whose arguments are numbers of 32 bits.
struct OSCMessage: Hashable, Sendable {
  /// The address within the receiver: "/ball/position", in ASCII.
  let address: String
  /// The arguments.
  let arguments: [Float]

  /// The size in bytes: address, type tags and arguments, each padded to a multiple of four.
  var byteCount: Int {
    // The type tags begin with a comma.
    Self.paddedCount(address.utf8.count) + Self.paddedCount(1 + arguments.count) + 4 * arguments.count
  }

  /// Appends the message's bytes to a packet.
  func append(to packet: inout [UInt8]) {
    Self.append(string: address.utf8, to: &packet)
    Self.append(string: ("," + String(repeating: "f", count: arguments.count)).utf8, to: &packet)
    for argument in arguments { packet.append(bigEndian: argument.bitPattern) }
  }

  /// The padded size of a text of `count` bytes: at least one zero ends it, and zeros fill it up to a multiple of four.
  private static func paddedCount(_ count: Int) -> Int { (count / 4 + 1) * 4 }

  private static func append(string: String.UTF8View, to packet: inout [UInt8]) {
    packet.append(contentsOf: string)
    packet.append(contentsOf: repeatElement(0, count: paddedCount(string.count) - string.count))
  }
}

extension OSCMessage {
  /// The messages for a property's state: a number per lane to `address`, and as many to `address/velocity` if
  /// requested.
  ///
  /// Receivers are not prepared for values that are not finite: such a state yields `nil`. A lane beyond the range of a
  /// 32-bit number becomes the largest that fits.
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
  /// Appends a number, its highest byte first.
  mutating func append(bigEndian number: UInt32) {
    for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
  }
}
