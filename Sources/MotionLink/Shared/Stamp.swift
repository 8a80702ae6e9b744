import MotionWire

/// Puts a sender's epoch and incarnation into envelopes, and numbers the envelopes from 1 on one socket or topic.
struct Stamp: Hashable, Sendable {
  let epoch: UInt64
  let incarnation: UInt64
  private(set) var last: UInt64 = 0

  init(epoch: UInt64, incarnation: UInt64) {
    self.epoch = epoch
    self.incarnation = incarnation
  }

  /// The next message, sent at `now` on the boot clock.
  mutating func envelope(_ body: Envelope.Body, replyTo: UInt64 = 0, at now: Duration) -> Envelope {
    last += 1
    return Envelope(
      epoch: epoch, incarnation: incarnation, sequence: last, replyTo: replyTo, sent: now.nanosecondsSinceBoot, body)
  }
}

extension Duration {
  /// The whole nanoseconds of a boot-clock time; 0 for a time before boot.
  package var nanosecondsSinceBoot: UInt64 {
    let (seconds, attoseconds) = components
    return UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds)) / 1_000_000_000
  }

  /// Seconds as a number, the form in which messages carry intervals.
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
