import LinuxSystem
import MotionLink
import MotionModel

/// The workers that are waited for instead of started: their keys, who holds them, and the claims that are refused.
struct RemoteClaims {
  /// The interval between reports of refused claims: a claimant that retries each second must not fill the log.
  static let reports = Duration.seconds(10)

  /// The processes that hold the slots of remote workers; `nil` if there are none.
  let register: AssignmentRegister?
  /// The keys by which workers on other machines may connect.
  var keys: AuthorizedKeys
  /// When the coordinator started: leases of an earlier start count from then.
  let startTime: Duration
  /// How many claims were refused.
  private(set) var refused: UInt64 = 0
  private var limit = ReportLimit(per: Self.reports)

  init(_ register: AssignmentRegister?, keys: AuthorizedKeys, at now: Duration) {
    (self.register, self.keys, startTime) = (register, keys, now)
  }

  /// Whether a worker connects from elsewhere and is waited for instead of started.
  func isAwaited(_ worker: WorkerAddress) -> Bool { register != nil && keys.names(worker) }

  /// The holder of a slot that is waited for. The process that held the slot in an earlier start may still have a lease
  /// from then.
  func holder(of worker: WorkerAddress) -> RemoteHolder {
    guard let claimant = register?.holder(of: worker) else { return RemoteHolder(assignment: RemoteAssignment()) }
    return RemoteHolder(
      assignment: RemoteAssignment(lastHeldBy: claimant, until: startTime + LinkTiming.network.longestLease))
  }

  /// Counts a refused claim.
  ///
  /// - Returns: whether it is logged.
  mutating func noteRefusal(at now: Duration) -> Bool {
    refused += 1
    return limit.report(at: now) != nil
  }
}
