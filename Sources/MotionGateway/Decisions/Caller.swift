import ZeroMQ

/// A connection of an untrusted client, as admission has named it. No other connection ever has its number.
struct Caller: Hashable {
  /// The peer at the other end, and the number of the connection.
  let name: PeerName
  /// The number alone. Later connections have higher numbers.
  var serial: UInt64 { name.serial }

  static func == (one: Caller, other: Caller) -> Bool { one.serial == other.serial }
  func hash(into hasher: inout Hasher) { hasher.combine(serial) }
}
