import MotionModel
public import MotionWire

/// Decides which process has the assignment of a worker that the coordinator does not start, and so cannot kill. It
/// only decides; it has no effects.
///
/// Two processes never act for one assignment. A process that claims a new incarnation thereby declares that it has
/// given up the previous one, and gets the new one at once. Another process gets the assignment only when the lease of
/// the previous holder has certainly expired.
public struct RemoteAssignment: Hashable, Sendable {
  /// The decision about a claim.
  public enum Verdict: Hashable, Sendable {
    /// A new incarnation begins; any earlier incarnation has ended.
    case assignment
    /// The claimant already has this assignment, and the answer was lost: resend it.
    case resend
    /// A late claim: the process has sent a newer one since.
    case late
    /// Another process has the assignment, which cannot be given away before this time, if that is known.
    case taken(until: Duration?)
  }

  /// The process that has the assignment, or had it last.
  public struct Holder: Hashable, Sendable {
    /// The process.
    public var claimant: UInt64
    /// The number of its incarnation, counted by the process.
    public var attempt: UInt64
  }

  /// The process that has the assignment, or had it last in this epoch or an earlier one; `nil` if that is not known.
  public private(set) var holder: Holder?
  /// Whether an incarnation of the holder continues, as far as the coordinator can determine.
  public private(set) var isTaken = false
  /// The time until which the holder may act. No other process gets the assignment before.
  public private(set) var heldUntil: Duration

  /// An assignment without a known previous holder.
  public init() {
    heldUntil = .zero
  }

  /// An assignment in a new epoch that `claimant` had before, or an unknown process if that is `nil`. The lease of that
  /// process lasts until `time` at most.
  public init(lastHeldBy claimant: UInt64?, until time: Duration) {
    holder = claimant.map { Holder(claimant: $0, attempt: 0) }
    heldUntil = time
  }

  /// A process claims the assignment at `now`.
  public mutating func claimed(_ claim: Claim, at now: Duration) -> Verdict {
    if let holder, holder.claimant == claim.claimant {
      if claim.attempt < holder.attempt { return .late }
      if claim.attempt == holder.attempt && isTaken { return .resend }
      return take(claim)
    }
    if isTaken { return .taken(until: nil) }
    if now < heldUntil { return .taken(until: heldUntil) }
    return take(claim)
  }

  /// The present incarnation has ended for the coordinator; the holder may consider it valid until `time`.
  public mutating func ended(heldUntil time: Duration) {
    isTaken = false
    heldUntil = max(heldUntil, time)
  }

  /// The present incarnation has ended for both ends: its process has reported so.
  public mutating func released() {
    isTaken = false
    heldUntil = .zero
  }

  private mutating func take(_ claim: Claim) -> Verdict {
    holder = Holder(claimant: claim.claimant, attempt: claim.attempt)
    isTaken = true
    return .assignment
  }
}
