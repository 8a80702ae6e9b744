import CLinux
import MotionClient
import MotionModel

/// Sends what pointers do to a daemon, counts it, and knows which pointers are down.
struct InputSender {
  private let client: MotionClient
  private var down = PointersDown()
  private let start = InputSender.now
  /// Events sent.
  private(set) var events = 0
  /// Messages sent.
  private(set) var messages = 0

  /// A sender that has sent nothing.
  init(_ client: MotionClient) { self.client = client }

  /// The time of the boot clock, in seconds.
  static var now: Double { Double(motion_boot_clock()) / 1e9 }

  /// What was sent so far, and how long that took.
  var summary: InputSummary { InputSummary(events: events, messages: messages, seconds: Self.now - start) }

  /// Sends messages in order.
  mutating func send(_ inputs: [PointerInput]) throws(MotionClientError) {
    for input in inputs {
      try client.send(input)
      down.take(input)
      events += input.events.count
      messages += 1
    }
  }

  /// Takes away the pointers that are down.
  mutating func cancel() throws(MotionClientError) { try send(down.cancel(at: Self.now)) }

  /// Takes away the pointers that are down, after something failed: if the daemon listens, it would wait for them.
  mutating func cancel(after failure: Failure) -> Failure {
    if failure.code != .timeout, failure.code != .unreachable {
      // What failed first is what is told.
      try? cancel()
    }
    return failure
  }
}
