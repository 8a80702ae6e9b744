import Testing
import ZeroMQ

/// The longest time that a test waits for a condition; ample for a busy machine, and reached only by a failure.
let timeout = Duration.seconds(20)

/// An expected condition did not occur.
struct WaitTimeout: Error, CustomStringConvertible {
  let description: String
}

extension PollableSocket {
  /// Waits until a message can be received.
  func awaitReadable() throws {
    let poller = Poller()
    _ = poller.add(self)
    let outcome = try poller.poll(timeout: timeout)
    guard case .ready = outcome else { throw WaitTimeout(description: "nothing to receive: \(outcome)") }
  }
}

extension Socket where Kind: ReceivingKind {
  func awaitParts(limit: Int = 8) throws -> [Message] {
    try awaitReadable()
    return try #require(try receive(limit: limit).message)
  }

  func awaitOne() throws -> Message {
    try awaitReadable()
    return try #require(try receiveOne().message)
  }
}

extension Socket where Kind == RouterKind {
  func awaitRouted() throws -> (RoutingID, Message) {
    try awaitReadable()
    return try #require(try receiveRouted().message)
  }
}

extension Socket where Kind == PublishKind {
  func awaitSubscription() throws -> SubscriptionEvent {
    try awaitReadable()
    return try #require(try receiveSubscription().message)
  }
}
