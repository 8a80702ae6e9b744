/// The packets of Art-Net 4, which are sent to UDP port 6454.
enum ArtNetPacket {
  /// The UDP port.
  static let port: UInt16 = 6454
  private static let head = Array("Art-Net".utf8) + [0]
  private static let version: [UInt8] = [0, 14]

  private enum Code: UInt16 {
    case poll = 0x2000
    case reply = 0x2100
    case data = 0x5000
    case synchronization = 0x5200

    /// Lowest byte first, other than the rest.
    var bytes: [UInt8] { [UInt8(truncatingIfNeeded: rawValue), UInt8(rawValue >> 8)] }
  }

  /// What a packet of others says.
  enum Message: Hashable {
    /// Someone looks for nodes and controllers.
    case poll
    /// A part of a node, with the Port-Addresses that it turns into DMX.
    case node(part: UInt8, ports: [Int])
  }

  /// A data packet.
  ///
  /// - Parameters:
  ///   - levels: an even number of levels, up to 512.
  ///   - sequence: from 1 on; 0 is a sequence that receivers ignore.
  static func data(_ levels: [UInt8], to port: Int, sequence: UInt8) -> [UInt8] {
    var packet = head + Code.data.bytes + version
    packet += [sequence, 0, UInt8(truncatingIfNeeded: port), UInt8(truncatingIfNeeded: port >> 8)]
    packet.append(number: levels.count, bytes: 2)
    return packet + levels
  }

  /// A packet that lets nodes show what they got.
  static let synchronization = head + Code.synchronization.bytes + version + [0, 0]

  /// A packet to which nodes reply, now and when something about them changes.
  static let poll = head + Code.poll.bytes + version + [2, 0]

  /// The reply to a poll: a controller without ports.
  static func reply(from address: [UInt8], named name: String) -> [UInt8] {
    var packet = head + Code.reply.bytes
    packet += address.prefix(4)
    packet += [UInt8(truncatingIfNeeded: port), UInt8(port >> 8)]
    // Firmware, switches, OEM code (unknown), UBEA, status, manufacturer.
    packet += [0, 1, 0, 0, 0, 0xFF, 0, 0, 0, 0]
    for (text, room) in [(name, 18), (name, 64), ("#0001 [0000] motiond", 64)] {
      let bytes = Array(text.utf8.prefix(room - 1))
      packet += bytes + [UInt8](repeating: 0, count: room - bytes.count)
    }
    // No ports; a controller.
    packet += [UInt8](repeating: 0, count: 200 - packet.count) + [1]
    packet += [UInt8](repeating: 0, count: 239 - packet.count)
    return packet
  }

  /// Reads a packet; `nil` if it is not one of ``Message``.
  static func message(_ packet: some RandomAccessCollection<UInt8>) -> Message? {
    let bytes = Array(packet.prefix(239))
    guard bytes.count >= 14, Array(bytes.prefix(8)) == head else { return nil }
    switch UInt16(bytes[9]) << 8 | UInt16(bytes[8]) {
    case Code.poll.rawValue: return .poll
    case Code.reply.rawValue:
      guard bytes.count >= 194 else { return nil }
      let base = Int(bytes[18] & 0x7F) << 8 | Int(bytes[19] & 0x0F) << 4
      // A port whose type has bit 7 turns what it receives into DMX.
      let ports = (0..<4).filter { bytes[174 + $0] & 0x80 != 0 }.map { base | Int(bytes[190 + $0] & 0x0F) }
      return .node(part: bytes.count > 211 ? bytes[211] : 0, ports: ports)
    default: return nil
    }
  }
}
