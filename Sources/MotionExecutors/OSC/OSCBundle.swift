import MotionModel

/// Bundles of Open Sound Control 1.0: messages that take effect together, at a time.
enum OSCBundle {
  /// The most bytes of a packet: the payload of an Ethernet frame (1,500) less the headers of IPv6 (40) and UDP (8). So
  /// no packet is fragmented, which would lose it with any fragment. IPv4 would leave 20 more.
  static let largestPacket = 1452
  /// The bytes of "#bundle", its zero, and the time tag.
  private static let headerCount = 16
  /// The bytes before each message, which hold its size.
  private static let sizeCount = 4

  /// The packets for these messages, in order: as few as hold them all, those with the frame's time first.
  ///
  /// The messages of one line stay together.
  static func packets(of words: [OSCWords], at moment: OSCMoment) -> [[UInt8]] {
    let dated = words.filter { $0.timeTag == .frame }
    let undated = words.filter { $0.timeTag == .immediate }
    let tag = OSCTimeTag(nanosecondsSince1970: moment.nanosecondsSince1970)
    return packets(of: dated, at: tag) + packets(of: undated, at: .immediate)
  }

  private static func packets(of words: [OSCWords], at time: OSCTimeTag) -> [[UInt8]] {
    split(words.map { $0.messages.reduce(0) { $0 + sizeCount + $1.byteCount } }).map { range in
      packet(of: words[range].flatMap(\.messages), at: time)
    }
  }

  /// Distributes items of these sizes among bundles: as few as hold them all, in order.
  ///
  /// An item that is too large for any bundle gets one of its own.
  static func split(_ sizes: [Int], largest: Int = largestPacket) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    var count = headerCount
    for (index, size) in sizes.enumerated() {
      if index > start, count + size > largest {
        ranges.append(start..<index)
        (start, count) = (index, headerCount)
      }
      count += size
    }
    if start < sizes.count { ranges.append(start..<sizes.count) }
    return ranges
  }

  /// The bytes of a bundle of these messages.
  static func packet(of messages: [OSCMessage], at time: OSCTimeTag) -> [UInt8] {
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
