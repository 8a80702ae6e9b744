import MotionWire
import ZeroMQ

extension Machine {
  /// Closes the connection on which a message arrived.
  func hangUp(on message: Message) {
    if let descriptor = connection(of: message) { sender(of: message)?.hangUp(on: descriptor) }
  }
}

/// A connection has too many topics. The owner counts it and closes the connection: libzmq has no other way to revoke
/// subscriptions.
struct ExcessiveSubscriber: Error {}

extension SubscriptionLedger {
  /// Records a subscription or its end.
  ///
  /// - Returns: the topic and whether it is now wanted, if that has changed.
  mutating func note(
    _ event: SubscriptionEvent, _ message: Message, on machine: any Machine
  ) throws(ExcessiveSubscriber) -> (topic: [UInt8], isWanted: Bool)? {
    switch event {
    case .subscribed(let topic):
      guard let sender = machine.sender(of: message), let descriptor = machine.connection(of: message) else {
        return nil
      }
      guard subscribed(sender.serial, on: descriptor, to: topic) == .began else { throw ExcessiveSubscriber() }
      return (topic, true)
    case .unsubscribed(let topic):
      // Subscriptions that end with their connection have no sender any more.
      let sender = machine.sender(of: message)
      let outcome = sender.map { unsubscribed($0.serial, from: topic) } ?? ended(topic: topic)
      return outcome == .ended ? (topic, false) : nil
    }
  }
}
