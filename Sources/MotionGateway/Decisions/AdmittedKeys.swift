import ZeroMQ

/// Whose keys count, and what becomes of that when the files that say so are read again.
struct AdmittedKeys: Equatable {
  private var keys: Set<CurveKey>

  /// Those whose keys count now.
  init(_ keys: Set<CurveKey>) { self.keys = keys }

  /// Whether who has connected so may stay: whoever came by a key that counts no more may not.
  func allows(_ peer: PeerName.Peer) -> Bool {
    switch peer {
    case .process: true
    case .key(let key): keys.contains(key)
    }
  }

  /// How many there are.
  var count: Int { keys.count }

  /// From now on these count.
  ///
  /// - Returns: how many more, and how many no more.
  mutating func replace(with others: Set<CurveKey>) -> (added: Int, revoked: Int) {
    defer { keys = others }
    return (others.subtracting(keys).count, keys.subtracting(others).count)
  }
}
