import MotionModel
import ZeroMQ

/// A socket of a client that waits for no longer than it is told to.
///
/// Belongs to the thread that made it.
final class ClientSocket<Kind: ReceivingKind> {
  fileprivate let socket: Socket<Kind>
  fileprivate let poller = Poller()

  private init(_ socket: Socket<Kind>) {
    self.socket = socket
    _ = poller.add(socket)
  }

  /// What has come, if anything.
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
      // No message of this protocol; as good as none.
      return nil
    } catch {
      throw MotionClientError(.socket, "\(error)")
    }
  }

  /// Waits until something can be received, or so long. A signal may end it earlier.
  func wait(upTo duration: Duration) throws(MotionClientError) {
    _ = try socketErrors { () throws(ZeroMQError) in try poller.poll(timeout: max(.zero, duration)) }
  }

  /// Ends every ``wait(upTo:)`` when the descriptor is readable, too.
  func wakes(for descriptor: Int32) {
    _ = poller.add(descriptor: descriptor)
  }
}

extension ClientSocket where Kind == DealerKind {
  /// Requests that wait to be sent: a client asks one thing at a time, and says it again a few times.
  private static var sendQueue: Int { 64 }

  /// A socket for requests, connected now or whenever somebody listens.
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

  /// Sends a message. One that the full queue does not take is as good as lost: it is sent again.
  func send(_ bytes: [UInt8]) throws(MotionClientError) {
    _ = try socketErrors { () throws(ZeroMQError) in try socket.send(bytes) }
  }
}

extension ClientSocket where Kind == SubscribeKind {
  /// Subscriptions, and withdrawals of them, that wait to be sent: libzmq drops those beyond without a word. That is
  /// one of each for every topic that the daemon keeps.
  static var subscriptionsWaiting: Int { 2 * 65_536 }

  /// A socket for values on which `queueLength` messages may wait to be read.
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

  /// Receives what begins with these bytes from now on.
  func subscribe(to prefix: [UInt8]) throws(MotionClientError) {
    try socketErrors { () throws(ZeroMQError) in try socket.subscribe(prefix) }
  }

  /// Says that it receives what begins with these bytes once more, and misses nothing meanwhile.
  func repeatSubscription(to prefix: [UInt8]) throws(MotionClientError) {
    try socketErrors { () throws(ZeroMQError) in try socket.repeatSubscription(prefix) }
  }

  /// Receives what begins with these bytes no longer.
  func unsubscribe(from prefix: [UInt8]) throws(MotionClientError) {
    try socketErrors { () throws(ZeroMQError) in try socket.unsubscribe(prefix) }
  }
}

/// Does something with a socket, and turns its error into a client's.
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
