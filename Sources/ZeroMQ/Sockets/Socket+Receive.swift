import CZeroMQ
import Glibc

/// The result of an attempt to receive.
public enum ReceiveOutcome<Received> {
  /// A message.
  case message(Received)
  /// No message is there.
  case wouldBlock
  /// A signal interrupted the call, or the call has dropped as many messages as it may. A message may still be there.
  case interrupted
  /// The context is shutting down.
  case terminated

  /// The message, if there is one.
  public var message: Received? { if case .message(let message) = self { message } else { nil } }

  /// The same result with a transformed message.
  func map<Other>(_ transform: (Received) -> Other) -> ReceiveOutcome<Other> {
    switch self {
    case .message(let message): .message(transform(message))
    case .wouldBlock: .wouldBlock
    case .interrupted: .interrupted
    case .terminated: .terminated
    }
  }
}

/// A message that has more parts than the receiver accepts. It was dropped.
public struct TooManyParts: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of parts that the receiver accepts.
  public let limit: Int
  /// The problem.
  public var description: String { "a message has more than \(limit) parts; it was dropped" }
}

extension Socket {
  /// Receives the next part of a message without waiting.
  private func nextPart() throws(ZeroMQError) -> ReceiveOutcome<Message> {
    let message = Message()
    mayBeReady = true
    if zmq_msg_recv(&message.raw, pointer, ZMQ_DONTWAIT) >= 0 { return .message(message) }
    switch zmq_errno() {
    case EAGAIN:
      // The socket has nothing left: only a new signal can change that.
      mayBeReady = false
      return .wouldBlock
    case EINTR: return .interrupted
    case ETERM: return .terminated
    default: throw .last("zmq_msg_recv on \(Kind.name)")
    }
  }

  /// Receives a whole message without waiting, for every kind.
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
  /// - Parameter limit: the largest number of parts. Further parts are received and dropped one by one, so that the
  ///   socket is at the beginning of a message again.
  /// - Throws: ``TooManyParts`` for a message with more, ``ZeroMQError``.
  public func receive(limit: Int) throws -> ReceiveOutcome<[Message]> { try wholeMessage(limit: limit) }

  /// Receives a message that must have exactly one part. One with more is dropped.
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
  /// Receives a message with the routing id of its sender. It must have exactly one other part, or it is dropped.
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

/// A subscription or an unsubscription that a publisher received.
public enum SubscriptionEvent: Hashable, Sendable {
  /// A subscriber has subscribed to topics that begin with these bytes.
  case subscribed([UInt8])
  /// The last subscriber has unsubscribed; with the option `reportsAllUnsubscriptions`, any subscriber.
  case unsubscribed([UInt8])
}

/// Messages other than subscriptions that one call skips: a peer that floods an XPUB must not block its owner.
private let passedOverAtMost = 64

extension Socket where Kind == PublishKind {
  /// Receives a subscription or an unsubscription without waiting. Any other message is skipped.
  ///
  /// One call skips at most 64 such messages and then returns `interrupted`: more messages may be there.
  public func receiveSubscription() throws -> ReceiveOutcome<SubscriptionEvent> {
    try receiveSubscriptionMessage().map { $0.0 }
  }

  /// The same, with the message, which may identify the subscriber and its connection. It does not for unsubscriptions
  /// whose connection has closed.
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
  /// Subscribes to messages that begin with these bytes.
  public func subscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_setsockopt(pointer, ZMQ_SUBSCRIBE, prefix, prefix.count) == 0 else {
      throw .last("zmq_setsockopt SUBSCRIBE")
    }
  }

  /// Repeats a subscription without interruption, so that the publisher sends all current values again.
  ///
  /// libzmq counts equal subscriptions on this side and forwards each of them, but only the last unsubscription.
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
