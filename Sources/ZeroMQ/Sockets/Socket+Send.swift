import CZeroMQ
import Glibc

/// The result of an attempt to send.
public enum SendOutcome: Hashable, Sendable {
  /// libzmq has taken the message.
  case sent
  /// The queue is full, or no peer is connected: retry later, or drop the message.
  case wouldBlock
  /// A router has no peer with this routing id.
  case unroutable
  /// A signal interrupted the call; nothing was sent.
  case interrupted
  /// The context is shutting down.
  case terminated
}

extension Socket where Kind: SendingKind {
  /// Sends a message of one part without waiting; afterwards the message is empty.
  public func send(_ message: Message) throws(ZeroMQError) -> SendOutcome {
    try send(part: message, flags: ZMQ_DONTWAIT)
  }

  /// Sends these bytes as a message of one part without waiting.
  public func send(_ bytes: [UInt8]) throws(ZeroMQError) -> SendOutcome {
    try send(Message(bytes))
  }

  /// Sends a message of several parts, all or none.
  public func send(_ parts: [Message]) throws(ZeroMQError) -> SendOutcome {
    try send(parts: parts)
  }
}

extension Socket where Kind == RouterKind {
  /// Sends a message to the peer with this routing id without waiting.
  public func send(_ bytes: [UInt8], to routingID: RoutingID) throws(ZeroMQError) -> SendOutcome {
    try send(Message(bytes), to: routingID)
  }

  /// Sends a message of one part to the peer with this routing id without waiting; afterwards the message is empty.
  public func send(_ message: Message, to routingID: RoutingID) throws(ZeroMQError) -> SendOutcome {
    try send(parts: [Message(routingID.bytes), message])
  }
}

extension Socket {
  /// Sends a message of several parts, all or none, whatever the kind.
  ///
  /// Only the first part can find the queue full: libzmq takes the rest of a message that it has begun to take.
  func send(parts: [Message]) throws(ZeroMQError) -> SendOutcome {
    precondition(!parts.isEmpty, "a message of no parts is sent on \(Kind.name)")
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let outcome = try send(part: part, flags: (index == 0 ? ZMQ_DONTWAIT : 0) | (isLast ? 0 : ZMQ_SNDMORE))
      // A context that shuts down drops the parts that it has: nothing was sent in this case, either.
      if outcome == .terminated || (index == 0 && outcome != .sent) { return outcome }
      precondition(outcome == .sent, "part \(index) of a message was not taken: \(outcome)")
    }
    return .sent
  }

  private func send(part: Message, flags: Int32) throws(ZeroMQError) -> SendOutcome {
    mayBeReady = true
    while true {
      if zmq_msg_send(&part.raw, pointer, flags) >= 0 { return .sent }
      switch zmq_errno() {
      case EINTR where flags & ZMQ_DONTWAIT == 0: continue
      case EINTR: return .interrupted
      case EAGAIN: return .wouldBlock
      case EHOSTUNREACH: return .unroutable
      case ETERM: return .terminated
      default: throw .last("zmq_msg_send on \(Kind.name)")
      }
    }
  }
}

/// The name of a router's peer, assigned by libzmq or chosen by the peer: 1 to 255 bytes.
public struct RoutingID: Hashable, Sendable {
  /// The bytes.
  public let bytes: [UInt8]

  /// The id with these bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
