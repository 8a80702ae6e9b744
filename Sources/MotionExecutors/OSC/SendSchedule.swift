/// Decides when a changing value is sent: at once if it may, and else as it is when it may again.
///
/// It may be sent so many times in any second, and no more. Of what changes meanwhile only the last is sent, and that
/// always; what was sent is not sent again until it changes. Time comes in as seconds that never go back.
struct SendSchedule {
  /// How often it tries to send the same value while sending fails, the first time included. A full buffer is empty
  /// again by the next time; a network that is gone must not keep everything awake.
  static let attempts = 8
  /// By how much a value may be late and the next still be due when it was, at most, in seconds. Values go with frames,
  /// which are never there when a value is due; without this each would push the next, and a rate near that of the frames
  /// would lose every other frame. The distance of frames at 60 a second.
  static let longestCredit = 1.0 / 60

  /// The seconds from one value to the next, on average.
  private let interval: Double
  /// By how much a value may be late without delaying the next, in seconds.
  private let credit: Double
  /// When the next value is due, in seconds.
  private var due = -Double.infinity
  /// What was sent last.
  private var sent: [Float]?
  /// What is to be sent.
  private var waiting: [Float]?
  private var failures = 0

  /// At most `rate` values a second.
  init(rate: Double) {
    credit = min(Self.longestCredit, 1 / rate)
    // A value makes the next due so much later, less the credit at most. So of any two with `rate` − 1 between them the
    // second is due, and sent, a second after the first or later: rate · interval − credit = 1.
    interval = (1 + credit) / rate
  }

  /// Whether there is something to send, now or later.
  var isWaiting: Bool { waiting != nil }

  /// Takes note of the value; `nil` if there is none any more.
  mutating func notice(_ value: [Float]?) {
    if value != waiting { failures = 0 }
    waiting = value == sent ? nil : value
  }

  /// What is to be sent at the time `now`, if anything; it counts as sent.
  mutating func take(at now: Double) -> [Float]? {
    guard let value = waiting, now >= due else { return nil }
    due = max(due, now - credit) + interval
    (sent, waiting) = (value, nil)
    return value
  }

  /// Takes note that what was just taken could not be sent: it is tried again when it may, unless that was tried enough.
  mutating func fail() {
    failures += 1
    guard failures < Self.attempts else { return }
    (sent, waiting) = (nil, sent)
  }
}
