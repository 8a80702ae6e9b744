import ZeroMQ

/// The client request that is answered later: when something is on disk, or when frames were run.
struct Requester: Equatable {
  let client: RoutingID
  let request: UInt64
  /// The peer of its connection, as far as it is known and used.
  var peer: PeerName.Peer?
  /// The identity that the client gives itself; 0 if it is not known.
  var incarnation: UInt64 = 0
}
