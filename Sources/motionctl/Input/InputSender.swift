import CLinux
import MotionClient
import MotionModel

/// Sends pointer events to a daemon, counts them, and keeps track of the pointers that are down.
struct InputSender {
  private let client: MotionClient
  private var down = PointersDown()
  private let start = InputSender.now
  /// The number of events sent.
  private(set) var events = 0
  /// The number of messages sent.
  private(set) var messages = 0

  /// Makes a sender that has sent nothing.
  init(_ client: MotionClient) { self.client = client }

  /// The time of the boot clock, in seconds.
  static var now: Double { Double(motion_boot_clock()) / 1e9 }

  /// The numbers of events and messages sent so far, and the time since the start.
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

  /// Cancels the pointers that are down.
  mutating func cancel() throws(MotionClientError) { try send(down.cancel(at: Self.now)) }

  /// Cancels the pointers that are down after a failure. A daemon that is reachable would otherwise wait for them.
  mutating func cancel(after failure: Failure) -> Failure {
    if failure.code != .timeout, failure.code != .unreachable {
      // The first failure is reported, not one of the cancellation.
      try? cancel()
    }
    return failure
  }
}
