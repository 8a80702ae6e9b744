import ZeroMQ

/// A connection of a stranger's, as admission has named it: no other one ever has its number.
struct Caller: Hashable {
  /// Who is at the other end, and the number.
  let name: PeerName
  /// The number alone; later connections have higher ones.
  var serial: UInt64 { name.serial }

  static func == (one: Caller, other: Caller) -> Bool { one.serial == other.serial }
  func hash(into hasher: inout Hasher) { hasher.combine(serial) }
}
