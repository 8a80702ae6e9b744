/// Receives and answers libzmq's authentication requests: the handler of ZAP 1.0 (RFC 27) of one context.
///
/// - A socket with a ``SocketOption/zapDomain(_:)`` admits no connection before its request was answered. It refuses
///   all peers whose protocol is older than ZAP (ZMTP 1.0 and 2.0).
/// - Make the handler before the first of these sockets is bound.
/// - Requests may be answered in any order, on the thread that owns this. libzmq's own threads never wait for it.
package final class Authenticator {
  /// Identifies the request that an answer is for.
  package struct Ticket: Hashable, Sendable {
    fileprivate let routingID: RoutingID
    fileprivate let requestID: [UInt8]
  }

  /// The answer to a request.
  package enum Answer: Hashable, Sendable {
    /// The connection is admitted. Its messages carry this name as their property `User-Id`, and in ``Message/sender``.
    case admitted(as: PeerName)
    /// The connection is refused, and its peer receives the status.
    case refused(String)
  }

  /// The socket, for a poller.
  package let socket: RouterSocket

  /// The address at which libzmq looks for a handler.
  package static let address = "inproc://zeromq.zap.01"

  /// Binds the handler's address of the context.
  ///
  /// - Throws: ``ZeroMQError`` if the context has a handler already.
  package init(_ context: ZeroMQContext) throws {
    // Without high-water marks: libzmq's side has none, and a request that it cannot write would end the process.
    socket = try RouterSocket(context, .sendHighWaterMark(0), .receiveHighWaterMark(0))
    try socket.bind(Endpoint(Self.address))
  }

  /// The next request, if any. Invalid requests are skipped.
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

  /// Answers a request. A connection that has closed does not receive the answer.
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
