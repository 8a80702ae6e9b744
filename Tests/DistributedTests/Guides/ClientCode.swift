import MotionClient
import MotionModel
import MotionWire

// The Swift code that docs/writing-a-client.md shows: its blocks are the parts of this file between the marks, in this
// order.

// guide begins
/// Springs the ball to a place, and passes every frame to `each` until the plan has ended.
func spring(
  to destination: Lanes, through client: MotionClient, each: (FrameValues) -> Void
) throws(MotionClientError) -> EndedIntention? {
  let subscription = try client.subscribe(to: [.motion(.target("ball")), .outcomes("ball")])
  try subscription.synchronise(timeout: .seconds(5))
  var transaction = Transaction()
  transaction.add(.springTo("position", destination), to: "ball")
  let receipt = try client.commit(transaction)
  while let event = try subscription.next(timeout: .seconds(5)) {
    switch event {
    case .values(let values): each(values)
    case .ended(let plans, _):
      if let plan = plans.first(where: { $0.identity.sequence == receipt.sequence }) { return plan }
    case .handedOver: break
    case .restarted: return nil
    }
  }
  return nil
}
// guide ends

// guide begins
/// Returns advice about an error.
func advice(about error: MotionClientError) -> String {
  switch error.code {
  case .refused: "operation \(error.refusal?.operation ?? 0): \(error.message)"
  case .unreachable, .timeout: "try again later: \(error)"
  default: "report this: \(error)"
  }
}
// guide ends

// guide begins
/// A finger touches the ball and goes right, in one message.
func swipe(through client: MotionClient, now: Double) throws(MotionClientError) {
  let events = (0...10).map { step in
    PointerEvent(id: 1, step == 0 ? .down : .move, at: [10 * Double(step), 0], time: now + Double(step - 10) / 60)
  }
  try client.send(PointerInput("ball", from: "finger", events))
}
// guide ends
