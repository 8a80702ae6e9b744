/// Decides when a changing value is sent: at once if the rate allows it, otherwise its latest state as soon as it does.
///
/// If a value changes too fast for the rate, only the last is sent, and the last always is. A value that was sent is
/// not sent again until it changes. Times are passed in as seconds that never go back.
struct SendSchedule<Value: Equatable> {
  private var pacing: FramePacing
  /// The value that was sent last.
  private var sent: Value?
  /// The value that waits to be sent.
  private var waiting: Value?
  private var lastRepeat = -Double.infinity

  /// At most `rate` values a second.
  init(rate: Double) { pacing = FramePacing(perSecond: rate) }

  /// Whether there is something to send, now or later.
  var isWaiting: Bool { waiting != nil }

  /// Stores the value; `nil` if there is none any more.
  mutating func notice(_ value: Value?) {
    waiting = value == sent ? nil : value
  }

  /// Records that the transport resent the last value at `time`: the rate counts that as well.
  mutating func noticeRepeat(at time: Double) {
    guard time > lastRepeat else { return }
    lastRepeat = time
    pacing.use(time)
  }

  /// The time with which the waiting value may be sent, if it may be sent at `now`; see ``FramePacing/time(at:)``.
  func time(at now: Double) -> Double? { isWaiting ? pacing.time(at: now) : nil }

  /// Takes the waiting value, which is sent and bears this time.
  mutating func take(at time: Double) -> Value? {
    guard let value = waiting else { return nil }
    pacing.use(time)
    (sent, waiting) = (value, nil)
    return value
  }
}
