import MotionModel
public import MotionWire

/// Decides who sits on the assignment of a worker that the coordinator does not start, and so cannot kill: the decision alone.
///
/// Two processes never act for one assignment. A process that asks for another life says by that that it has given up the one
/// before, and gets it at once; another process gets the assignment only when the lease of the one before is surely over.
public struct RemoteAssignment: Hashable, Sendable {
  /// What becomes of a claim.
  public enum Verdict: Hashable, Sendable {
    /// A new life begins, with a new incarnation; whatever life there was is over.
    case assignment
    /// It has this assignment already, and the answer was lost: say it again.
    case resend
    /// It is an old word of a process that has spoken since.
    case late
    /// Another has the assignment; not before then, if that is known, can it be given away.
    case taken(until: Duration?)
  }

  /// Who has the assignment, or had it last.
  public struct Holder: Hashable, Sendable {
    /// The process.
    public var claimant: UInt64
    /// Which of its lives.
    public var attempt: UInt64
  }

  /// Who has it, or had it last in this epoch or an earlier one, if that is known.
  public private(set) var holder: Holder?
  /// Whether a life of the holder goes on, as far as the coordinator knows.
  public private(set) var isTaken = false
  /// Until when the holder may act; nobody else gets the assignment before.
  public private(set) var heldUntil: Duration

  /// An assignment that nobody is known to have had.
  public init() {
    heldUntil = .zero
  }

  /// An assignment in a new epoch that `claimant` had before, or an unknown process if that is `nil`, with a lease that lasts
  /// until `time` at most.
  public init(lastHeldBy claimant: UInt64?, until time: Duration) {
    holder = claimant.map { Holder(claimant: $0, attempt: 0) }
    heldUntil = time
  }

  /// A process asks for the assignment at `now`.
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

  /// The present life is over for the coordinator; the holder may believe otherwise until `time`.
  public mutating func ended(heldUntil time: Duration) {
    isTaken = false
    heldUntil = max(heldUntil, time)
  }

  /// The present life is over for both: its process has said so.
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
