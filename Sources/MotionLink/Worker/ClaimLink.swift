public import MotionModel
public import MotionWire

/// How a worker that no coordinator started comes to an assignment, again for each of its lives: messages and time in, actions
/// out.
///
/// It asks until it gets one: the coordinator may not be there yet, or may have to wait until the lease of somebody else
/// is over.
public struct ClaimLink: Sendable {
  /// What is to be done, in the order given.
  public enum Action: Hashable, Sendable {
    /// Send this to the coordinator on the link.
    case send(Envelope)
    /// There is an assignment: begin a ``WorkerLink`` with this epoch, incarnation and lease.
    case assigned(epoch: UInt64, Assignment, Lease)
    /// There is none now, for this reason; it goes on asking.
    case wait(Refusal)
    /// There will be none for this process: end it.
    case refused(Refusal)
  }

  /// As many claims are remembered as can be under way: an answer to an earlier one is no answer.
  static let claimsRemembered = 64

  /// How often it is asked again in vain for want of an answer, and what was answered to others.
  public private(set) var counters = LinkCounters()

  private let timing: LinkTiming
  private var claim: Claim
  private var stamp = Stamp(epoch: 0, incarnation: 0)
  private var retry: Retry
  private var isAsking = false
  /// When each of the last claims of this life was sent, by its sequence.
  private var sent: [(sequence: UInt64, at: Duration)] = []

  /// Asks for what `claim` says; its attempt is counted here.
  public init(_ claim: Claim, timing: LinkTiming = .network, at now: Duration) {
    self.claim = claim
    self.claim.attempt = 0
    self.timing = timing
    retry = Retry(timing, at: now)
  }

  /// Asks for another life. The one before is given up with the first word.
  public mutating func begin(at now: Duration) -> [Action] {
    claim.attempt += 1
    isAsking = true
    sent = []
    retry = Retry(timing, at: now)
    return [ask(at: now)]
  }

  /// When ``deadline(at:)`` is to be called next; `nil` while nothing is asked.
  public var nextDeadline: Duration? { isAsking ? retry.due : nil }

  /// Asks again, if that is due.
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
      // The answer took longer than what it grants.
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
  /// Another worker has the assignment, or may still believe so.
  public static let assignmentTaken = Refusal.Code(rawValue: "assignment-taken")
  /// There is no such assignment, or it is not for this key.
  public static let noAssignment = Refusal.Code(rawValue: "no-assignment")

  /// Whether the answer to the same claim may be another one later.
  fileprivate var isWorthAsking: Bool { self != .version && self != .malformed }
}
