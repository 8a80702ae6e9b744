import MotionModel

/// How long a worker that its coordinator cannot kill may act. The lease is measured on the worker's own boot clock,
/// from the time at which the worker sent the last message that the coordinator has received.
///
/// Why both ends never consider two workers entitled at once: the worker stops at `sent + lease` by its clock. The
/// coordinator received that message not before it was sent. It gives the assignment to no other process before
/// `heard + lease × (1 + margin)` by its own clock (``LeaseGrants``). So the worker has stopped first, whatever the two
/// clocks show and however late messages are, as long as both run equally fast to within the margin:
/// `lease × (1 + drift of one) ≤ lease × (1 + margin) × (1 − drift of the other)`. Boot clocks continue while a machine
/// sleeps, and are steered by 500 ppm at most.
public struct Lease: Hashable, Sendable {
  /// How much longer than the lease an assignment is kept, as a fraction: twenty times the 500 ppm by which the kernel
  /// steers a clock at most.
  public static let margin = 0.01

  /// When it ends, on the worker's boot clock.
  public private(set) var end: Duration
  /// The time of sending from which the lease counts, and the number of the message that renewed it.
  private var renewedFrom: UInt64
  private var sequence: UInt64 = 0

  /// A lease of `length` that counts from `sent`, when the worker requested it.
  public init(from sent: Duration, length: Duration) {
    end = sent + length
    renewedFrom = sent.nanosecondsSinceBoot
  }

  /// Whether the lease has expired. From this moment on, the worker obeys no message that was sent to it.
  public func isOver(at now: Duration) -> Bool { now >= end }

  /// The coordinator has received the message that was sent at `heardSent` (nanoseconds of the boot clock), and lets
  /// the worker act for `seconds` from then. A renewal that is older than the last one, or has impossible values,
  /// changes nothing.
  mutating func renew(heardSent: UInt64, seconds: Double, sequence: UInt64, at now: Duration) {
    guard sequence > self.sequence, heardSent >= renewedFrom, heardSent <= now.nanosecondsSinceBoot,
      seconds.isFinite, seconds > 0
    else { return }
    self.sequence = sequence
    renewedFrom = heardSent
    end = .nanoseconds(Int64(clamping: heardSent)) + .seconds(min(seconds, 3600))
  }
}

/// The leases that the coordinator has granted to one incarnation of a worker: until when it must not give the
/// assignment to another process.
struct LeaseGrants: Hashable, Sendable {
  /// The time until which the worker may act, by the coordinator's clock and with the margin.
  private(set) var until: Duration
  /// The newest time of sending among the received messages, and when that message was received.
  private(set) var newestSent: UInt64 = 0
  private var heardAt: Duration

  /// Starts with the first lease, which was granted with the assignment at `now`.
  init(length: Duration, at now: Duration) {
    heardAt = now
    until = now + length * (1 + Lease.margin)
  }

  /// A message of the worker was received that was sent at `sent`.
  mutating func heard(_ sent: UInt64, at now: Duration) {
    guard sent > newestSent else { return }
    newestSent = sent
    heardAt = now
  }

  /// Grants the worker a lease of `length` from the newest time of sending among the received messages.
  mutating func grant(_ length: Duration) {
    guard newestSent > 0 else { return }
    until = max(until, heardAt + length * (1 + Lease.margin))
  }
}
