import MotionModel
import ZeroMQ

/// A socket of a client whose waits have a timeout.
///
/// Belongs to the thread that made it.
final class ClientSocket<Kind: ReceivingKind> {
  fileprivate let socket: Socket<Kind>
  fileprivate let poller = Poller()

  private init(_ socket: Socket<Kind>) {
    self.socket = socket
    _ = poller.add(socket)
  }

  /// The next message that has arrived, if any.
  func receive() throws(MotionClientError) -> [UInt8]? {
    do {
      switch try socket.receiveOne() {
      case .message(let message): return message.bytes
      case .wouldBlock, .interrupted: return nil
      case .terminated: throw MotionClientError(.socket, "the client's context was shut down")
      }
    } catch let error as MotionClientError {
      throw error
    } catch is TooManyParts {
      // This is no message of this protocol; it counts as lost.
      return nil
    } catch {
      throw MotionClientError(.socket, "\(error)")
    }
  }

  /// Waits until something can be received, or until the timeout. A signal may end the wait earlier.
  func wait(upTo duration: Duration) throws(MotionClientError) {
    _ = try socketErrors { () throws(ZeroMQError) in try poller.poll(timeout: max(.zero, duration)) }
  }

  /// Makes every ``wait(upTo:)`` end also when the descriptor is readable.
  func wakes(for descriptor: Int32) {
    _ = poller.add(descriptor: descriptor)
  }
}

extension ClientSocket where Kind == DealerKind {
  /// The limit of queued requests: a client sends one request at a time, and resends it a few times, or some
  /// that need no answer.
  static var sendQueue: Int { 64 }

  /// A socket for requests. It connects at once, or as soon as a daemon listens.
  static func dealer(_ door: Door, _ context: ZeroMQContext) throws(MotionClientError) -> ClientSocket {
    let endpoint = try checked(door.endpoint)
    return try socketErrors { () throws(ZeroMQError) in
      let socket = try DealerSocket(
        context, .sendHighWaterMark(sendQueue), .maxMessageSize(bytes: Limits.clientMessageBytes))
      try door.credentials?.apply(to: socket)
      try socket.connect(endpoint)
      return ClientSocket(socket)
    }
  }

  /// Sends a message. One that does not fit into the full queue counts as lost: it is resent.
  func send(_ bytes: [UInt8]) throws(MotionClientError) {
    _ = try socketErrors { () throws(ZeroMQError) in try socket.send(bytes) }
  }
}

extension ClientSocket where Kind == SubscribeKind {
  /// The limit of queued subscribe and unsubscribe messages; libzmq silently drops those beyond it. The limit is one of
  /// each for every topic that the daemon keeps.
  static var subscriptionsWaiting: Int { 2 * 65_536 }

  /// A socket for values, with a queue of `queueLength` received messages.
  static func subscriber(
    _ door: Door, queueLength: Int, _ context: ZeroMQContext
  ) throws(MotionClientError) -> ClientSocket {
    let endpoint = try checked(door.endpoint)
    return try socketErrors { () throws(ZeroMQError) in
      let socket = try SubscribeSocket(
        context, .sendHighWaterMark(subscriptionsWaiting), .receiveHighWaterMark(queueLength),
        .maxMessageSize(bytes: Limits.publishedBytes))
      try door.credentials?.apply(to: socket)
      let subscriber = ClientSocket(socket)
      try subscriber.poller.connect(socket, to: endpoint)
      return subscriber
    }
  }

  /// Subscribes to messages that begin with these bytes.
  func subscribe(to prefix: [UInt8]) throws(MotionClientError) {
    try socketErrors { () throws(ZeroMQError) in try socket.subscribe(prefix) }
  }

  /// Resends the subscription to messages that begin with these bytes, without missing any meanwhile.
  func repeatSubscription(to prefix: [UInt8]) throws(MotionClientError) {
    try socketErrors { () throws(ZeroMQError) in try socket.repeatSubscription(prefix) }
  }

  /// Unsubscribes from messages that begin with these bytes.
  func unsubscribe(from prefix: [UInt8]) throws(MotionClientError) {
    try socketErrors { () throws(ZeroMQError) in try socket.unsubscribe(prefix) }
  }
}

/// Runs an operation on a socket, and converts its error into a client's error.
func socketErrors<Value>(_ body: () throws(ZeroMQError) -> Value) throws(MotionClientError) -> Value {
  do {
    return try body()
  } catch {
    throw MotionClientError(.socket, error.description)
  }
}

private func checked(_ address: String) throws(MotionClientError) -> Endpoint {
  do {
    return try Endpoint(address)
  } catch {
    throw MotionClientError(.unreachable, error.description)
  }
}
