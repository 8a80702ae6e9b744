import MotionModel

/// How long a worker that its coordinator cannot kill may act: measured on the worker's own boot clock, from when it sent
/// what the coordinator has heard of it last.
///
/// Why the two never disagree the dangerous way: the worker stops at `sent + lease` by its clock. The coordinator heard
/// that message not before it was sent, and gives the assignment to nobody else before `heard + lease × (1 + margin)` by its
/// own (``LeaseGrants``). So the worker has stopped first as long as the two clocks run equally fast to within the margin,
/// whatever they show and however late messages are: `lease × (1 + drift of one) ≤ lease × (1 + margin) × (1 − drift of
/// the other)`. Boot clocks go on while a machine sleeps, and are steered by 500 ppm at most.
public struct Lease: Hashable, Sendable {
  /// By how much longer than the lease an assignment is kept: twenty times what the kernel lets two clocks differ by at most.
  public static let margin = 0.01

  /// When it ends, on the worker's boot clock.
  public private(set) var end: Duration
  /// The time of sending from which it counts, and the number of the message that said so.
  private var renewedFrom: UInt64
  private var sequence: UInt64 = 0

  /// A lease of `length` that counts from `sent`, when the worker asked for it.
  public init(from sent: Duration, length: Duration) {
    end = sent + length
    renewedFrom = sent.nanosecondsSinceBoot
  }

  /// Whether it is over: from this moment on nothing that was said to the worker counts.
  public func isOver(at now: Duration) -> Bool { now >= end }

  /// The coordinator has heard what was sent at `heardSent` (nanoseconds of the boot clock), and lets the worker act for
  /// `seconds` from then. What is older than its last word, or cannot be, changes nothing.
  mutating func renew(heardSent: UInt64, seconds: Double, sequence: UInt64, at now: Duration) {
    guard sequence > self.sequence, heardSent >= renewedFrom, heardSent <= now.nanosecondsSinceBoot,
      seconds.isFinite, seconds > 0
    else { return }
    self.sequence = sequence
    renewedFrom = heardSent
    end = .nanoseconds(Int64(clamping: heardSent)) + .seconds(min(seconds, 3600))
  }
}

/// What the coordinator has granted to one life of a worker: until when it must not give the assignment to another.
struct LeaseGrants: Hashable, Sendable {
  /// Until when the worker may act, by the coordinator's clock and with the margin.
  private(set) var until: Duration
  /// The newest time of sending that was heard, and when that was.
  private(set) var newestSent: UInt64 = 0
  private var heardAt: Duration

  /// The first lease, which was granted with the assignment at `now`.
  init(length: Duration, at now: Duration) {
    heardAt = now
    until = now + length * (1 + Lease.margin)
  }

  /// A message of the worker came that was sent at `sent`.
  mutating func heard(_ sent: UInt64, at now: Duration) {
    guard sent > newestSent else { return }
    newestSent = sent
    heardAt = now
  }

  /// The worker is told that it may act for `length` from the newest time of sending that was heard.
  mutating func grant(_ length: Duration) {
    guard newestSent > 0 else { return }
    until = max(until, heardAt + length * (1 + Lease.margin))
  }
}
