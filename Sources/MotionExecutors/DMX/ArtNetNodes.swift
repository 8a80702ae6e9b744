/// The Art-Net nodes that have answered a poll. Times are passed in as seconds that never go back.
struct ArtNetNodes {
  /// How long a node counts without another answer, in seconds: three polls, and a little.
  static let lifetime = 9.0
  /// The most parts of nodes that are kept.
  static let most = 4096

  /// A part of a node: a node with more than four ports answers for each four.
  private struct Part: Hashable {
    var address: SocketAddress
    var number: UInt8
  }

  private var parts: [Part: (ports: Set<Int>, seen: Double)] = [:]

  /// A node has answered.
  mutating func answered(_ address: SocketAddress, part: UInt8, ports: [Int], at now: Double) {
    let part = Part(address: address.with(port: ArtNetPacket.port), number: part)
    guard parts[part] != nil || parts.count < Self.most else { return }
    parts[part] = (Set(ports), now)
  }

  /// The addresses of the nodes with a Port-Address.
  mutating func addresses(of port: Int, at now: Double) -> [SocketAddress] {
    parts = parts.filter { $0.value.seen + Self.lifetime >= now }
    let found = Set(parts.lazy.filter { $0.value.ports.contains(port) }.map(\.key.address))
    return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}
