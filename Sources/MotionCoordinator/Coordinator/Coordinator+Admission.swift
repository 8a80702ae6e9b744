import Logging
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Whether a message that speaks for a worker comes from the process that was started as it, or from the key that has
  /// its slot; counts those that do not. A worker that is admitted could otherwise speak for any other.
  ///
  /// - Parameter sender: who the message comes from, as the authenticator has called it.
  func isSpoken(by sender: PeerName?, for slot: WorkerSlot) -> Bool {
    if let remote = slot.remote {
      if let key = sender?.key, key == remote.key { return true }
      counters.forgedMessages += 1
      return false
    }
    // It may speak before we have looked who was started; but that was told before it was let in.
    if slot.processID == nil { receiveProcessEvents(at: machine.now) }
    if let processID = slot.processID, sender?.process?.processID == processID { return true }
    counters.forgedMessages += 1
    return false
  }

  /// Takes note of a subscription or its end; gives the topic and whether it is wanted now, if that is new. One that has
  /// too many is hung up on: libzmq has no other way to take them back.
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
      // Those that end with their connection are nobody's.
      let sender = machine.sender(of: message)
      let outcome = sender.map { ledger.unsubscribed($0.serial, from: topic) } ?? ledger.ended(topic: topic)
      return outcome == .ended ? (topic, false) : nil
    }
  }

  /// Ends the connection that a message came by.
  func hangUp(on message: Message) {
    if let descriptor = machine.connection(of: message) { machine.sender(of: message)?.hangUp(on: descriptor) }
  }

  /// Says, at most once in ten seconds, that connections were closed because there were too many.
  func reportRefusedConnections(at now: Duration) {
    let refused = DescriptorLimit.refusedConnections
    guard refused > reportedRefusedConnections, now >= nextRefusedConnectionsReport else { return }
    logger.warning(
      "closed \(refused - reportedRefusedConnections) connections: too many are open; raise the limit of descriptors (LimitNOFILE)"
    )
    (reportedRefusedConnections, nextRefusedConnectionsReport) = (refused, now + RefusalLog.interval)
  }

  /// What was decided about connections, for the status.
  var admissionRows: [Status.Counter] {
    let tally = sockets.admission?.tally ?? AdmissionThread.Tally()
    return [
      .init("admitted-peers", tally.admitted), .init("refused-connections", DescriptorLimit.refusedConnections),
    ]
      + Admission.Reason.allCases.map { .init("refused-peers-\($0.rawValue)", tally.refused[$0] ?? 0) }
  }
}
