import ZeroMQ

/// Answers libzmq's authentication requests, and gives each admitted connection a name of its own.
struct ConnectionAdmission {
  private let authenticator: Authenticator
  private let registration: Poller.Registration
  private var lastSerial: UInt64 = 0

  init(_ context: ZeroMQContext, in poller: Poller) throws {
    authenticator = try Authenticator(context)
    registration = poller.add(authenticator.socket)
  }

  /// Answers the requests that wait.
  ///
  /// - Parameters:
  ///   - poller: the poller of ``init(_:in:)``.
  ///   - refusal: the reason that a refused peer is given.
  ///   - peer: the peer of a request if it may connect; `nil` refuses it.
  mutating func answer(
    in poller: Poller, refusal: String, _ peer: (AuthenticationRequest) -> PeerName.Peer?
  ) throws {
    guard poller.isReadable(registration) else { return }
    while let (ticket, request) = try authenticator.next() {
      guard let peer = peer(request) else {
        try authenticator.answer(ticket, .refused(refusal))
        continue
      }
      lastSerial += 1
      try authenticator.answer(ticket, .admitted(as: PeerName(peer, serial: lastSerial)))
    }
  }
}
