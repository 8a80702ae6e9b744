/// Decides when a changing value is sent: at once if it may, and else as it is when it may again.
///
/// Of what changes too fast for the rate only the last is sent, and that always; what was sent is not sent again until it
/// changes. Time comes in as seconds that never go back.
struct SendSchedule<Value: Equatable> {
  private var limit: RateLimit
  /// What was sent last.
  private var sent: Value?
  /// What is to be sent.
  private var waiting: Value?
  private var lastRepeat = -Double.infinity

  /// At most `rate` values a second.
  init(rate: Double) { limit = RateLimit(perSecond: rate) }

  /// Whether there is something to send, now or later.
  var isWaiting: Bool { waiting != nil }

  /// Takes note of the value; `nil` if there is none any more.
  mutating func notice(_ value: Value?) {
    waiting = value == sent ? nil : value
  }

  /// Takes note that what was sent last was sent once more by others, at a time: that counts as well.
  mutating func noticeRepeat(at time: Double) {
    guard time > lastRepeat else { return }
    lastRepeat = time
    limit.use(time)
  }

  /// The time that what waits may bear, if it may be sent at the time `now`; see ``RateLimit/time(at:)``.
  func time(at now: Double) -> Double? { isWaiting ? limit.time(at: now) : nil }

  /// What waits, which is sent and bears a time.
  mutating func take(at time: Double) -> Value? {
    guard let value = waiting else { return nil }
    limit.use(time)
    (sent, waiting) = (value, nil)
    return value
  }
}
