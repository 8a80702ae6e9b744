public import MotionModel
public import MotionWire

/// How a worker that no coordinator started obtains an assignment, again for each incarnation: messages and time in,
/// actions out.
///
/// It claims until it gets one: the coordinator may not be running yet, or may have to wait until the lease of another
/// process has expired.
public struct ClaimLink: Sendable {
  /// The actions to perform, in the order given.
  public enum Action: Hashable, Sendable {
    /// Send this to the coordinator on the link.
    case send(Envelope)
    /// An assignment was granted: begin a ``WorkerLink`` with this epoch, incarnation and lease.
    case assigned(epoch: UInt64, Assignment, Lease)
    /// No assignment is available now, for this reason; the link continues to claim.
    case wait(Refusal)
    /// This process will not get an assignment: end it.
    case refused(Refusal)
  }

  /// How many claims are recorded: as many as can be in transit. An answer to an earlier claim is ignored.
  static let claimsRemembered = 64

  /// How often a claim was resent for want of an answer, and how many answers belonged to other requests.
  public private(set) var counters = LinkCounters()

  private let timing: LinkTiming
  private var claim: Claim
  private var stamp = Stamp(epoch: 0, incarnation: 0)
  private var retry: Retry
  private var isAsking = false
  /// When each of the last claims for this incarnation was sent, by its sequence.
  private var sent: [(sequence: UInt64, at: Duration)] = []

  /// Claims the assignment that `claim` describes; its attempt is counted here.
  public init(_ claim: Claim, timing: LinkTiming = .network, at now: Duration) {
    self.claim = claim
    self.claim.attempt = 0
    self.timing = timing
    retry = Retry(timing, at: now)
  }

  /// Claims a new incarnation. The first claim ends the previous one.
  public mutating func begin(at now: Duration) -> [Action] {
    claim.attempt += 1
    isAsking = true
    sent = []
    retry = Retry(timing, at: now)
    return [ask(at: now)]
  }

  /// When to call ``deadline(at:)`` next; `nil` while no claim is open.
  public var nextDeadline: Duration? { isAsking ? retry.due : nil }

  /// Resends the claim, if that is due.
  public mutating func deadline(at now: Duration) -> [Action] {
    guard isAsking, now >= retry.due else { return [] }
    counters.retries += 1
    retry.said(at: now)
    return [ask(at: now)]
  }

  /// A message came on the link.
  public mutating func received(_ envelope: Envelope, at now: Duration) -> [Action] {
    guard isAsking, let asked = sent.first(where: { $0.sequence == envelope.replyTo })?.at else {
      counters.old += 1
      return []
    }
    switch envelope.body {
    case .assignment(let assignment):
      let lease = Lease(from: asked, length: .seconds(assignment.lease))
      // The answer took longer than the lease that it grants.
      guard !lease.isOver(at: now) else {
        counters.old += 1
        return []
      }
      isAsking = false
      return [.assigned(epoch: envelope.epoch, assignment, lease)]
    case .refusal(let refusal) where refusal.code.isWorthAsking: return [.wait(refusal)]
    case .refusal(let refusal):
      isAsking = false
      return [.refused(refusal)]
    default:
      counters.unexpected += 1
      return []
    }
  }

  private mutating func ask(at now: Duration) -> Action {
    let envelope = stamp.envelope(.claim(claim), at: now)
    sent.append((envelope.sequence, now))
    if sent.count > Self.claimsRemembered { sent.removeFirst() }
    return .send(envelope)
  }
}

extension Refusal.Code {
  /// Another worker has the assignment, or may still act under its lease.
  public static let assignmentTaken = Refusal.Code(rawValue: "assignment-taken")
  /// There is no such assignment, or it is not for this key.
  public static let noAssignment = Refusal.Code(rawValue: "no-assignment")

  /// Whether the same claim may get another answer later.
  fileprivate var isWorthAsking: Bool { self != .version && self != .malformed }
}
