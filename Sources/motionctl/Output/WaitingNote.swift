import MotionClient
import MotionModel

extension Console {
  /// Notes, while time is paused, that transactions wait: a list or graph for people shows only what is in effect.
  func noteWaiting(_ client: MotionClient) throws(Failure) {
    let status = try failing { () throws(MotionClientError) in try client.status() }
    guard status.clock.isPaused, status.counts.waiting > 0 else { return }
    let waiting = status.counts.waiting == 1 ? "1 transaction waits" : "\(status.counts.waiting) transactions wait"
    note(errorStyle.yellow("note: ") + "time is paused, and \(waiting) (motionctl list waiting)")
  }
}
