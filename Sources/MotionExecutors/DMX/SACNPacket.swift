/// The packets of streaming ACN (ANSI E1.31-2018), which are sent to UDP port 5568. Numbers have the highest byte first.
enum SACNPacket {
  /// The UDP port.
  static let port: UInt16 = 5568
  /// The universe that lists those that a source sends.
  static let discoveryUniverse = 64_214

  /// A source of universes.
  struct Source: Hashable, Sendable {
    /// The identity of the component (CID): 16 bytes.
    var identity: [UInt8]
    /// Its name, of at most 63 bytes.
    var name: String
  }

  /// A data packet.
  ///
  /// - Parameters:
  ///   - levels: 512 levels.
  ///   - synchronization: the universe of the packets that let receivers show it; 0 for none.
  ///   - isLast: whether the stream ends.
  static func data(
    _ levels: [UInt8], of universe: Int, from source: Source, priority: Int, sequence: UInt8, synchronization: Int,
    isLast: Bool = false
  ) -> [UInt8] {
    var packet = root(vector: 4, from: source, length: 126 + levels.count)
    packet.appendLength(from: 38, to: 126 + levels.count)
    packet.append(number: 2, bytes: 4)
    packet.append(name: source.name)
    packet.append(UInt8(clamping: priority))
    packet.append(number: synchronization, bytes: 2)
    packet.append(sequence)
    packet.append(isLast ? 0x40 : 0)
    packet.append(number: universe, bytes: 2)
    packet.appendLength(from: 115, to: 126 + levels.count)
    // Set properties, of one byte each, from 0, one after the other: the start code 0, and the levels.
    packet += [2, 0xA1]
    packet.append(number: 0, bytes: 2)
    packet.append(number: 1, bytes: 2)
    packet.append(number: levels.count + 1, bytes: 2)
    packet.append(0)
    return packet + levels
  }

  /// A packet that lets receivers show what they got for this synchronization universe.
  static func synchronization(_ universe: Int, from source: Source, sequence: UInt8) -> [UInt8] {
    var packet = root(vector: 8, from: source, length: 49)
    packet.appendLength(from: 38, to: 49)
    packet.append(number: 1, bytes: 4)
    packet.append(sequence)
    packet.append(number: universe, bytes: 2)
    return packet + [0, 0]
  }

  /// The packets that list the universes of a source, 512 in each.
  static func discovery(_ universes: [Int], from source: Source) -> [[UInt8]] {
    let pages = max(1, (universes.count + 511) / 512)
    return (0..<pages).map { page in
      let listed = universes.sorted().dropFirst(512 * page).prefix(512)
      let length = 120 + 2 * listed.count
      var packet = root(vector: 8, from: source, length: length)
      packet.appendLength(from: 38, to: length)
      packet.append(number: 2, bytes: 4)
      packet.append(name: source.name)
      packet += [0, 0, 0, 0]
      packet.appendLength(from: 112, to: length)
      packet.append(number: 1, bytes: 4)
      packet += [UInt8(page), UInt8(pages - 1)]
      for universe in listed { packet.append(number: universe, bytes: 2) }
      return packet
    }
  }

  /// The address to which a universe is sent without hosts: 239.255.hi.lo.
  static func multicastHost(of universe: Int) -> String { "239.255.\(universe >> 8).\(universe & 255)" }

  private static func root(vector: Int, from source: Source, length: Int) -> [UInt8] {
    var packet: [UInt8] = []
    packet.reserveCapacity(length)
    packet += [0, 16, 0, 0]
    packet += Array("ASC-E1.17".utf8) + [0, 0, 0]
    packet.appendLength(from: 16, to: length)
    packet.append(number: vector, bytes: 4)
    packet += source.identity.prefix(16)
    return packet
  }
}

extension [UInt8] {
  /// Flags and the length of what begins at a place and ends with the packet.
  fileprivate mutating func appendLength(from start: Int, to end: Int) {
    append(number: 0x7000 | (end - start), bytes: 2)
  }

  /// A name in 64 bytes, of which the last is 0.
  fileprivate mutating func append(name: String) {
    var bytes = Array(name.utf8.prefix(63))
    // A character is not cut in two.
    while String(validating: bytes, as: UTF8.self) == nil, !bytes.isEmpty { bytes.removeLast() }
    self += bytes + [UInt8](repeating: 0, count: 64 - bytes.count)
  }

  /// A number, highest byte first.
  mutating func append(number: Int, bytes: Int) {
    for place in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }
}
