import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Answers with the graph of targets, executors and streams, as soon as the workers concerned have reported their
  /// streams.
  ///
  /// - Returns: the answer; `nil` when it follows later.
  /// - Throws: ``MotionModel/Refusal`` when there is no such target, or the answer would be too long.
  func inspect(
    _ target: TargetName?, for client: RoutingID, on connection: Int32?, request: UInt64, at now: Duration
  ) throws(Refusal) -> Answer? {
    try QueryLimits.check(.graph(target), in: runtime)
    let executors = try runtime.executors(on: target)
    let asked = slotsInOrder.filter { executors[$0.address] != nil && $0.link?.isProvisioned == true }
    guard !asked.isEmpty else {
      return try answer(.graph(target), for: client, on: connection, request: request, at: now)
    }
    guard !clients.inspections.isAsked(by: client, request: request) else { return nil }
    guard !clients.inspections.isFull else {
      throw Refusal(
        .limit, "\(Inspections<RoutingID>.limit) others are asking for graphs", remedy: "Ask again in a second")
    }
    var numbers: [WorkerAddress: UInt64] = [:]
    for slot in asked {
      let handles = target == nil ? [] : executors[slot.address] ?? []
      guard let envelope = slot.link?.inspect(handles, at: now) else { continue }
      numbers[slot.address] = envelope.sequence
      sendOnLink(envelope, to: slot)
    }
    clients.inspections.begin(target, for: client, on: connection, request: request, asking: numbers, at: now)
    return nil
  }

  /// Receives a worker's report of its streams.
  func heard(_ report: StreamReport, question: UInt64, from slot: WorkerSlot, at now: Duration) {
    clients.inspections.heard(report, from: slot.address, number: question) { runtime.hasPlan($0, in: slot.address) }
    perform(clients.answerInspections(in: runtime, at: now), at: now)
  }
}
