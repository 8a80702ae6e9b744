import MotionModel

/// Decides which of the writers of one property drives it; it has no other effect.
///
/// Writers are executors; each has claims, one for every unfinished intention of it that writes the property. The rules
/// (design §5):
///
/// - Among active manipulations, the latest started drives.
/// - Otherwise the writer whose claim was added last drives.
/// - One-shots that lose a property are displaced and do not come back; those added under an active manipulation wait.
/// - Standing claims stay and resume.
///
/// Costs are linear in the claims, which are few.
struct WriterStack {
  /// An unfinished intention that writes the property.
  struct Claim: Equatable {
    var identity: IntentionIdentity
    var kind: IntentionKind
    var executor: ExecutorHandle
    /// Whether it waits for an active manipulation to end before its executor receives the plan.
    var isWaiting: Bool
  }

  /// A manipulation that is active on the property.
  struct Grip: Equatable {
    var executor: ExecutorHandle
    /// The token that holds it, if the token names the property; `nil` for a grip that lasts until the executor has
    /// none.
    var token: TokenName?
  }

  /// The claims in order of addition.
  private(set) var claims = SmallList<Claim>()
  /// The active manipulations, the latest started last.
  private(set) var grips: [Grip] = []

  /// The executor in charge: the holder of the latest grip, else the owner of the latest claim that does not wait.
  ///
  /// The claim of a manipulation never drives by itself.
  var driver: ExecutorHandle? {
    grips.last?.executor ?? claims.last { $0.kind != .manipulation && !$0.isWaiting }?.executor
  }

  /// The plan for which the ``driver`` drives: of several the latest.
  var leading: IntentionIdentity? {
    guard let grip = grips.last else { return claims.last { $0.kind != .manipulation && !$0.isWaiting }?.identity }
    return claims.last { $0.kind == .manipulation && $0.executor == grip.executor }?.identity
  }

  /// The owner of the latest claim, waiting or not: the driver, once no manipulation holds the property and no claim
  /// waits.
  private var heir: ExecutorHandle? { claims.last { $0.kind != .manipulation }?.executor }

  /// Whether there is at most one claim, and no manipulation.
  var hasNoRival: Bool { claims.count <= 1 && grips.isEmpty }

  /// Whether a manipulation drives.
  var isHeld: Bool { !grips.isEmpty }

  /// Whether `executor` has a claim on the property that does not wait.
  func hasClaim(of executor: ExecutorHandle) -> Bool {
    claims.contains { $0.executor == executor && !$0.isWaiting }
  }

  /// Whether `executor` may manipulate the property.
  func mayManipulate(_ executor: ExecutorHandle) -> Bool {
    claims.contains { $0.executor == executor && $0.kind == .manipulation }
  }

  /// Whether a manipulation of `executor` holds the property.
  func isHeld(by executor: ExecutorHandle) -> Bool { grips.contains { $0.executor == executor } }

  /// Adds the claim of a new intention.
  mutating func add(_ identity: IntentionIdentity, kind: IntentionKind, executor: ExecutorHandle, isWaiting: Bool) {
    claims.append(Claim(identity: identity, kind: kind, executor: executor, isWaiting: isWaiting))
  }

  /// Renumbers the claims of a staged transaction, all of which belong to its one executor.
  mutating func number(_ executor: ExecutorHandle, sequence: UInt64) {
    for index in claims.indices {
      claims[index].executor = executor
      claims[index].identity.sequence = sequence
    }
  }

  /// Removes the claim of an intention that is finished or removed. An executor without another manipulation claim
  /// releases its grips.
  mutating func remove(_ identity: IntentionIdentity) {
    guard let index = claims.firstIndex(where: { $0.identity == identity }) else { return }
    let claim = claims.remove(at: index)
    guard claim.kind == .manipulation, !mayManipulate(claim.executor) else { return }
    grips.removeAll { $0.executor == claim.executor }
  }

  /// Starts a manipulation. One that is active keeps its place, and an executor without a manipulation claim gets no
  /// grip.
  mutating func grip(_ executor: ExecutorHandle, token: TokenName?) {
    let grip = Grip(executor: executor, token: token)
    guard mayManipulate(executor), !grips.contains(grip) else { return }
    grips.append(grip)
  }

  /// Releases the grips of `token`; without a token, all grips of the executor.
  ///
  /// - Returns: whether anything was released.
  mutating func release(_ executor: ExecutorHandle, token: TokenName?) -> Bool {
    let before = grips.count
    grips.removeAll { $0.executor == executor && (token == nil || $0.token == token) }
    return grips.count != before
  }

  /// The waiting claims that may wake as far as this property is concerned: no manipulation holds it, and no other
  /// writer's claim was added later.
  var wakeable: [IntentionIdentity] {
    // Most properties have one writer, which does not wait: no array is made for that.
    guard claims.contains(where: \.isWaiting), !isHeld, let heir else { return [] }
    return claims.filter { $0.isWaiting && $0.executor == heir }.map(\.identity)
  }

  /// Ends the waiting of a claim.
  mutating func wake(_ identity: IntentionIdentity) {
    guard let index = claims.firstIndex(where: { $0.identity == identity }) else { return }
    claims[index].isWaiting = false
  }

  /// The one-shots that have lost the property for good: those that had begun and do not drive, and those that waited
  /// when no manipulation holds the property any more and another writer inherits it.
  var lost: [Claim] {
    let (driver, heir) = (driver, heir)
    guard claims.count > 1 || !grips.isEmpty else { return [] }
    return claims.filter { claim in
      guard claim.kind == .oneShot else { return false }
      return claim.isWaiting ? !isHeld && claim.executor != heir : claim.executor != driver
    }
  }

  /// The writers that write unless they are displaced: those with a claim that is not a manipulation's and does not
  /// wait, and those whose manipulations hold the property.
  var speakers: [ExecutorHandle] {
    var writers = grips.map(\.executor)
    for claim in claims where claim.kind != .manipulation && !claim.isWaiting { writers.append(claim.executor) }
    return writers
  }

  /// Whether `executor` is one of the ``speakers``.
  func speaks(_ executor: ExecutorHandle) -> Bool {
    isHeld(by: executor) || claims.contains { $0.executor == executor && $0.kind != .manipulation && !$0.isWaiting }
  }

  /// Whether this plan is one of the ``lost``.
  func hasLost(_ identity: IntentionIdentity) -> Bool { !hasNoRival && lost.contains { $0.identity == identity } }

  /// The writers below the driver that could resume, topmost first, each once.
  var waitingWriters: [ExecutorHandle] {
    let lost = lost
    var writers: [ExecutorHandle] = []
    for claim in claims.reversed()
    where claim.executor != driver && !writers.contains(claim.executor) && !lost.contains(claim) {
      writers.append(claim.executor)
    }
    return writers
  }

  /// Whether another writer drives, or waits to drive, once this claim is removed.
  func hasSuccessor(of identity: IntentionIdentity) -> Bool {
    isHeld || claims.contains { $0.kind != .manipulation && $0.identity != identity }
  }

  /// The identities of the claims of `executor`, in order of addition.
  func identities(of executor: ExecutorHandle) -> [IntentionIdentity] {
    claims.filter { $0.executor == executor }.map(\.identity)
  }
}
