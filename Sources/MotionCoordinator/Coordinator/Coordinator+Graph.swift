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
    try checkLength(of: .graph(target))
    let executors = try runtime.executors(on: target)
    let asked = slotsInOrder.filter { executors[$0.address] != nil && $0.link?.isProvisioned == true }
    guard !asked.isEmpty else {
      return try answer(.graph(target), for: client, on: connection, request: request, at: now)
    }
    guard !inspections.isAsked(by: client, request: request) else { return nil }
    guard !inspections.isFull else {
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
    inspections.begin(target, for: client, on: connection, request: request, asking: numbers, at: now)
    return nil
  }

  /// Receives a worker's report of its streams.
  func heard(_ report: StreamReport, question: UInt64, from slot: WorkerSlot, at now: Duration) {
    inspections.heard(report, from: slot.address, number: question) { runtime.hasPlan($0, in: slot.address) }
    answerInspections(at: now)
  }

  /// Answers the inspections that wait for no more workers.
  func answerInspections(at now: Duration) {
    for question in inspections.take(at: now) {
      do throws(Refusal) {
        try checkLength(of: .graph(question.target))
        try longAnswers.ask(
          .init(
            client: question.client, request: question.request, query: .graph(question.target),
            connection: question.connection, streams: question.streams, remarks: question.remarks))
      } catch {
        refuse(error, to: question.client, request: question.request)
      }
    }
  }
}
