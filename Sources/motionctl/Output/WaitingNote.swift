import MotionClient
import MotionModel

extension Console {
  /// Notes, while time is paused, that transactions wait: a list or graph for people shows only what is in effect.
  func noteWaiting(_ client: MotionClient) throws(Failure) {
    let status = try failing { () throws(MotionClientError) in try client.status() }
    guard status.clock.stands, status.counts.waiting > 0 else { return }
    let waiting = status.counts.waiting == 1 ? "1 transaction waits" : "\(status.counts.waiting) transactions wait"
    note(
      errorStyle.yellow("note: ")
        + "\(status.clock.hold != nil ? "motion is held" : "time is paused"), and \(waiting) (motionctl list waiting)")
  }
}
