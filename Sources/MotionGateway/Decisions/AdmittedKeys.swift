import ZeroMQ

/// The public keys that may connect, and the change when the gateway reads the key files again.
struct AdmittedKeys: Equatable {
  private var keys: Set<CurveKey>

  /// Starts with these keys.
  init(_ keys: Set<CurveKey>) { self.keys = keys }

  /// Whether a peer may connect, or keep its connection. A peer that was admitted by a revoked key may not.
  func allows(_ peer: PeerName.Peer) -> Bool {
    switch peer {
    case .process: true
    case .key(let key): keys.contains(key)
    }
  }

  /// The number of keys.
  var count: Int { keys.count }

  /// Replaces the keys.
  ///
  /// - Returns: how many keys were added, and how many were revoked.
  mutating func replace(with others: Set<CurveKey>) -> (added: Int, revoked: Int) {
    defer { keys = others }
    return (others.subtracting(keys).count, keys.subtracting(others).count)
  }
}
