import Logging
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Whether a message for a worker's slot was sent by the process that was started for it, or with the key that holds
  /// the slot. Counts messages from other senders. Without this check any admitted worker could send messages in the
  /// name of another.
  ///
  /// - Parameter sender: the sender of the message, as named by the authenticator.
  func isSpoken(by sender: PeerName?, for slot: WorkerSlot) -> Bool {
    if let remote = slot.remote {
      if let key = sender?.key, key == remote.key { return true }
      counters.forgedMessages += 1
      return false
    }
    // The worker may send before the coordinator has read the event with its process ID; that event was queued before
    // the worker was admitted.
    if slot.processID == nil { receiveProcessEvents(at: machine.now) }
    if let processID = slot.processID, sender?.process?.processID == processID { return true }
    counters.forgedMessages += 1
    return false
  }

  /// Records a subscription or its end. Returns the topic and whether it is now wanted, if that has changed. A
  /// connection with too many topics is closed, because libzmq has no other way to revoke subscriptions.
  func note(
    _ event: SubscriptionEvent, _ message: Message, in ledger: inout SubscriptionLedger
  ) -> (topic: [UInt8], isWanted: Bool)? {
    switch event {
    case .subscribed(let topic):
      guard let sender = machine.sender(of: message), let descriptor = machine.connection(of: message) else {
        return nil
      }
      guard ledger.subscribed(sender.serial, on: descriptor, to: topic) == .began else {
        counters.excessiveSubscribers += 1
        hangUp(on: message)
        return nil
      }
      return (topic, true)
    case .unsubscribed(let topic):
      // Subscriptions that end with their connection have no sender any more.
      let sender = machine.sender(of: message)
      let outcome = sender.map { ledger.unsubscribed($0.serial, from: topic) } ?? ledger.ended(topic: topic)
      return outcome == .ended ? (topic, false) : nil
    }
  }

  /// Closes the connection on which a message arrived.
  func hangUp(on message: Message) {
    if let descriptor = machine.connection(of: message) { machine.sender(of: message)?.hangUp(on: descriptor) }
  }

  /// Logs, at most once in ten seconds, that connections were closed because there were too many.
  func reportRefusedConnections(at now: Duration) {
    let refused = DescriptorLimit.refusedConnections
    guard refused > reportedRefusedConnections, now >= nextRefusedConnectionsReport else { return }
    logger.warning(
      "closed \(refused - reportedRefusedConnections) connections: too many are open; raise the limit of descriptors (LimitNOFILE)"
    )
    (reportedRefusedConnections, nextRefusedConnectionsReport) = (refused, now + RefusalLog.interval)
  }

  /// The counters of admitted and refused connections, for the status.
  var admissionRows: [Status.Counter] {
    let tally = sockets.admission?.tally ?? AdmissionThread.Tally()
    return [
      .init("admitted-peers", tally.admitted), .init("refused-connections", DescriptorLimit.refusedConnections),
    ]
      + Admission.Reason.allCases.map { .init("refused-peers-\($0.rawValue)", tally.refused[$0] ?? 0) }
  }
}
