import LinuxSystem
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// Decides which process becomes a remote worker, one that is waited for instead of started, and stores the holders of
/// assignments across restarts. It only decides; ``WorkerPool`` acts on the decisions.
struct RemoteClaims {
  /// The interval between reports of refused claims: a claimant that retries each second must not fill the log.
  static let reports = Duration.seconds(10)

  /// The decision about a claim that is not refused.
  enum Decision: Equatable {
    /// It is not answered: it came late, or the assignment is being written to disk. The claimant retries within a
    /// second.
    case unanswered
    /// The claimant has the assignment already, and gets the same answer again.
    case resend
    /// The claimant gets the assignment, which is as given from now on. Any earlier life of the worker ends.
    case begin(RemoteAssignment)
  }

  /// The processes that hold the slots of remote workers; `nil` if there are none.
  private let register: AssignmentRegister?
  /// When the coordinator started: leases of an earlier start count from then.
  private let startTime: Duration
  /// How many claims were refused.
  private(set) var refused: UInt64 = 0
  private var limit = ReportLimit(per: Self.reports)

  init(_ register: AssignmentRegister?, at now: Duration) { (self.register, startTime) = (register, now) }

  // MARK: Holders

  /// Whether a worker connects from elsewhere and is waited for instead of started.
  func isAwaited(_ worker: WorkerAddress, by keys: AuthorizedKeys) -> Bool { register != nil && keys.names(worker) }

  /// The holder of a slot that is waited for. The process that held the slot in an earlier start may still have a lease
  /// from then.
  func holder(of worker: WorkerAddress) -> RemoteHolder {
    guard let claimant = register?.holder(of: worker) else { return RemoteHolder(assignment: RemoteAssignment()) }
    return RemoteHolder(
      assignment: RemoteAssignment(lastHeldBy: claimant, until: startTime + LinkTiming.network.longestLease))
  }

  /// The holder has released its slot, or the slot is not waited for any more.
  func forget(_ worker: WorkerAddress) { register?.forget(worker) }

  // MARK: Claims

  /// Checks whether a process may have the assignment that it claims, without regard to the present holder.
  ///
  /// - Parameters:
  ///   - key: the key with which the process connected; `nil` if it did not connect with one.
  ///   - keys: the keys that are authorized.
  /// - Throws: the reason why it may not, with the remedy.
  func check(_ claim: Claim, with key: CurveKey?, by keys: AuthorizedKeys) throws(Refusal) {
    guard claim.handshakeVersions.overlaps(ProtocolVersion.handshake) else { throw .versions(of: claim) }
    guard isAwaited(claim.address, by: keys) else { throw .notRemote(claim) }
    guard keys.allows(key, as: claim.address) else { throw .foreignKey(claim) }
  }

  /// Decides about a claim that was checked.
  ///
  /// - Parameter holder: the present holder of the slot, or the last one.
  /// - Throws: the reason why the claimant does not get the slot now, with the remedy.
  func decide(_ claim: Claim, against holder: RemoteHolder, at now: Duration) throws(Refusal) -> Decision {
    var assignment = holder.assignment
    switch assignment.claimed(claim, at: now) {
    case .late: return .unanswered
    case .resend: return .resend
    case .taken(let until): throw .taken(claim, by: holder, for: until.map { $0 - now })
    case .assignment: return try isSaved(claim) ? .begin(assignment) : .unanswered
    }
  }

  /// Whether the assignment is on disk. If not, it is being written.
  private func isSaved(_ claim: Claim) throws(Refusal) -> Bool {
    do {
      return try register?.isSaved(claim.claimant, as: claim.address) ?? true
    } catch {
      throw .storage(of: claim, error)
    }
  }

  /// Counts a refused claim.
  ///
  /// - Returns: whether it is logged.
  mutating func noteRefusal(at now: Duration) -> Bool {
    refused += 1
    return limit.report(at: now) != nil
  }
}
