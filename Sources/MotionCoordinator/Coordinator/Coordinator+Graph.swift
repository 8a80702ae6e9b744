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
    guard workers.serves(executors) else {
      return try answer(.graph(target), for: client, on: connection, request: request, at: now)
    }
    guard !clients.inspections.isAsked(by: client, request: request) else { return nil }
    guard !clients.inspections.isFull else {
      throw Refusal(
        .limit, "\(Inspections<RoutingID>.limit) others are asking for graphs", remedy: "Ask again in a second")
    }
    let numbers = workers.inspect(executors, isAll: target == nil, at: now)
    clients.inspections.begin(target, for: client, on: connection, request: request, asking: numbers, at: now)
    return nil
  }
}
