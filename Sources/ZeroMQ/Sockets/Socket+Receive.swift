import CZeroMQ
import Glibc

/// What came of trying to receive.
public enum ReceiveOutcome<Received> {
  /// A message.
  case message(Received)
  /// Nothing is there.
  case wouldBlock
  /// A signal came first, or enough was thrown away for one call: something may be there.
  case interrupted
  /// The context is shutting down.
  case terminated

  /// The message, if there is one.
  public var message: Received? { if case .message(let message) = self { message } else { nil } }

  /// The same with something made of the message.
  func map<Other>(_ transform: (Received) -> Other) -> ReceiveOutcome<Other> {
    switch self {
    case .message(let message): .message(transform(message))
    case .wouldBlock: .wouldBlock
    case .interrupted: .interrupted
    case .terminated: .terminated
    }
  }
}

/// A message that has more parts than the receiver takes; the rest was thrown away.
public struct TooManyParts: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many parts are taken.
  public let limit: Int
  /// What is wrong.
  public var description: String { "a message has more than \(limit) parts; it was dropped" }
}

extension Socket {
  /// Receives the next part of a message without waiting; read exactly, never beyond its end.
  private func nextPart() throws(ZeroMQError) -> ReceiveOutcome<Message> {
    let message = Message()
    mayBeReady = true
    if zmq_msg_recv(&message.raw, pointer, ZMQ_DONTWAIT) >= 0 { return .message(message) }
    switch zmq_errno() {
    case EAGAIN:
      // Everything that was signalled has been looked at.
      mayBeReady = false
      return .wouldBlock
    case EINTR: return .interrupted
    case ETERM: return .terminated
    default: throw .last("zmq_msg_recv on \(Kind.name)")
    }
  }

  /// Receives a whole message without waiting, whatever the kind.
  private func wholeMessage(limit: Int) throws -> ReceiveOutcome<[Message]> {
    var parts: [Message] = []
    var isOverlong = false
    repeat {
      // The parts of one message arrive together: after the first one, the rest is there.
      switch try nextPart() {
      case .message(let part):
        if parts.count < limit { parts.append(part) } else { isOverlong = true }
        if !part.hasMore {
          if isOverlong { throw TooManyParts(limit: limit) }
          return .message(parts)
        }
      case .wouldBlock: return .wouldBlock
      case .interrupted where parts.isEmpty: return .interrupted
      case .interrupted: continue
      case .terminated: return .terminated
      }
    } while true
  }
}

extension Socket where Kind: ReceivingKind {
  /// Receives a whole message without waiting.
  ///
  /// - Parameter limit: the most parts that are taken. Parts beyond are received and thrown away one by one, so that
  ///   the socket is at the beginning of a message again.
  /// - Throws: ``TooManyParts`` for a message with more, ``ZeroMQError``.
  public func receive(limit: Int) throws -> ReceiveOutcome<[Message]> { try wholeMessage(limit: limit) }

  /// Receives a whole message that has to have exactly one part; one with more is thrown away.
  public func receiveOne() throws -> ReceiveOutcome<Message> {
    switch try receive(limit: 1) {
    case .message(let parts): .message(parts[0])
    case .wouldBlock: .wouldBlock
    case .interrupted: .interrupted
    case .terminated: .terminated
    }
  }
}

extension Socket where Kind == RouterKind {
  /// Receives a message with the routing id of its sender; one that has not exactly one part besides is thrown away.
  public func receiveRouted() throws -> ReceiveOutcome<(RoutingID, Message)> {
    switch try receive(limit: 2) {
    case .message(let parts):
      guard parts.count == 2 else { throw TooManyParts(limit: 1) }
      return .message((RoutingID(parts[0].bytes), parts[1]))
    case .wouldBlock: return .wouldBlock
    case .interrupted: return .interrupted
    case .terminated: return .terminated
    }
  }
}

/// What a subscriber told a publisher.
public enum SubscriptionEvent: Hashable, Sendable {
  /// Somebody wants what begins with these bytes.
  case subscribed([UInt8])
  /// Nobody, or with the option `reportsAllUnsubscriptions` somebody, wants it any more.
  case unsubscribed([UInt8])
}

/// How many messages that are no subscriptions one call passes over: a peer that floods an XPUB must not hold its owner.
private let passedOverAtMost = 64

extension Socket where Kind == PublishKind {
  /// Receives what a subscriber subscribed to or ended, without waiting; any other message is passed over.
  ///
  /// Of such messages at most 64 are passed over in one call; it is `interrupted` then: more may be there.
  public func receiveSubscription() throws -> ReceiveOutcome<SubscriptionEvent> {
    try receiveSubscriptionMessage().map { $0.0 }
  }

  /// The same, with the message, which may tell who the subscriber is, and which connection it is. Nobody, for subscriptions
  /// that ended because their connection did.
  package func receiveSubscriptionMessage() throws -> ReceiveOutcome<(SubscriptionEvent, Message)> {
    for _ in 0..<passedOverAtMost {
      switch try wholeMessage(limit: 1) {
      case .message(let parts):
        let bytes = parts[0].bytes
        switch bytes.first {
        case 1: return .message((.subscribed(Array(bytes.dropFirst())), parts[0]))
        case 0: return .message((.unsubscribed(Array(bytes.dropFirst())), parts[0]))
        default: continue
        }
      case .wouldBlock: return .wouldBlock
      case .interrupted: return .interrupted
      case .terminated: return .terminated
      }
    }
    return .interrupted
  }
}

extension Socket where Kind: SubscribingKind {
  /// Receives what begins with these bytes from now on.
  public func subscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_setsockopt(pointer, ZMQ_SUBSCRIBE, prefix, prefix.count) == 0 else {
      throw .last("zmq_setsockopt SUBSCRIBE")
    }
  }

  /// Says a subscription once more, to a publisher who then says everything anew, with no moment without it.
  ///
  /// libzmq counts equal subscriptions on this side and passes each on, but only the last withdrawal.
  public func repeatSubscription(_ prefix: [UInt8]) throws(ZeroMQError) {
    try subscribe(prefix)
    try unsubscribe(prefix)
  }

  /// Ends one subscription to these bytes.
  public func unsubscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_setsockopt(pointer, ZMQ_UNSUBSCRIBE, prefix, prefix.count) == 0 else {
      throw .last("zmq_setsockopt UNSUBSCRIBE")
    }
  }
}
