/// Hears whom libzmq asks about, and answers: the handler of ZAP 1.0 (RFC 27) of one context.
///
/// Sockets with a ``SocketOption/zapDomain(_:)`` let nobody in before they were answered, and refuse everybody whose
/// protocol is older than ZAP (ZMTP 1.0 and 2.0). Make it before the first of them is bound. Requests may be answered in
/// any order, on the thread that owns this; libzmq's own threads never wait for it.
package final class Authenticator {
  /// Whom an answer is for.
  package struct Ticket: Hashable, Sendable {
    fileprivate let routingID: RoutingID
    fileprivate let requestID: [UInt8]
  }

  /// What is said of a connection.
  package enum Answer: Hashable, Sendable {
    /// It is let in; its messages have this as their property `User-Id`, and say so in ``Message/sender``.
    case admitted(as: PeerName)
    /// It is refused, and told so.
    case refused(String)
  }

  /// The socket, for a poller.
  package let socket: RouterSocket

  /// Where libzmq looks for a handler.
  package static let address = "inproc://zeromq.zap.01"

  /// Takes the place of the context's handler.
  ///
  /// - Throws: ``ZeroMQError`` if it has one.
  package init(_ context: ZeroMQContext) throws {
    // No marks: libzmq's side has none, and a request that could not be written would end the process.
    socket = try RouterSocket(context, .sendHighWaterMark(0), .receiveHighWaterMark(0))
    try socket.bind(Endpoint(Self.address))
  }

  /// The next request; what is no request is passed over.
  package func next() throws -> (Ticket, AuthenticationRequest)? {
    while true {
      let parts: [Message]
      do {
        // One more for the routing id.
        switch try socket.receive(limit: AuthenticationRequest.longestParts + 1) {
        case .message(let received): parts = received
        case .interrupted: continue
        case .wouldBlock, .terminated: return nil
        }
      } catch is TooManyParts {
        continue
      }
      guard let request = AuthenticationRequest(parts: parts.dropFirst().map(\.bytes)) else { continue }
      return (Ticket(routingID: RoutingID(parts[0].bytes), requestID: request.requestID), request)
    }
  }

  /// Answers a request. A connection that is gone by now does not hear it.
  package func answer(_ ticket: Ticket, _ answer: Answer) throws(ZeroMQError) {
    let (status, text, user) =
      switch answer {
      case .admitted(let user): ("200", "OK", user.text)
      case .refused(let reason): ("400", reason, "")
      }
    let texts = ["1.0", nil, status, text, user, ""].map { $0.map { Array($0.utf8) } ?? ticket.requestID }
    _ = try socket.send(parts: ([ticket.routingID.bytes, []] + texts).map { Message($0) })
  }
}
