/// Bundles of Open Sound Control 1.0: messages that take effect together, at a time.
enum OSCBundle {
  /// The most bytes of a packet: what a frame of Ethernet (1,500) carries besides the headers of IPv4 (20) and UDP (8),
  /// so that no packet is cut into pieces of which one may be lost. With IPv6, whose header is longer by 20, a packet
  /// beyond 1,452 bytes is cut.
  static let largestPacket = 1472
  /// The bytes of "#bundle", its zero, and the time tag.
  private static let headerCount = 16
  /// The bytes before each message, which say how many it has.
  private static let sizeCount = 4

  /// Which of `messages` go into which bundle: as few as hold them all, in order.
  ///
  /// A message that is too large for any gets one of its own.
  static func split(_ messages: [OSCMessage], largest: Int = largestPacket) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    var count = headerCount
    for (index, message) in messages.enumerated() {
      let added = sizeCount + message.byteCount
      if index > start, count + added > largest {
        ranges.append(start..<index)
        (start, count) = (index, headerCount)
      }
      count += added
    }
    if start < messages.count { ranges.append(start..<messages.count) }
    return ranges
  }

  /// The bytes of a bundle of these messages.
  static func packet(of messages: ArraySlice<OSCMessage>, at time: OSCTimeTag) -> [UInt8] {
    var packet: [UInt8] = []
    packet.reserveCapacity(messages.reduce(headerCount) { $0 + sizeCount + $1.byteCount })
    packet.append(contentsOf: "#bundle\0".utf8)
    packet.append(bigEndian: time.seconds)
    packet.append(bigEndian: time.fraction)
    for message in messages {
      packet.append(bigEndian: UInt32(message.byteCount))
      message.append(to: &packet)
    }
    return packet
  }
}
