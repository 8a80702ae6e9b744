import MotionModel

/// Decides which of the writers of one property drives it; it has no other effect.
///
/// Writers are executors; each has claims, one for every unfinished intention of it that writes the property. The rules
/// (design §5):
///
/// - The highest priority drives. Of equal ones:
/// - Among active manipulations, the latest started drives.
/// - Otherwise the writer whose claim was added last drives.
/// - One-shots that lose a property are displaced and do not come back; those added under an active manipulation of
///   their priority wait.
/// - Standing claims stay and resume. Those added under a claim of a higher priority wait.
/// - A claim that waits for its time has no effect until then, and counts as added then. A one-shot does not outlast a
///   claim of a later transaction that drives meanwhile.
///
/// An executor receives no plan while it has one of a higher priority for the property that has begun: of its plans for
/// a property, the latest has the highest priority.
///
/// Costs are linear in the claims, which are few.
struct WriterStack {
  /// An unfinished intention that writes the property.
  struct Claim: Equatable {
    var identity: IntentionIdentity
    var kind: IntentionKind
    var executor: ExecutorHandle
    /// Whether it waits for an active manipulation, or a claim of a higher priority, to end before its executor receives
    /// the plan.
    var isWaiting: Bool
    /// Whether it waits for its time besides.
    var isDelayed = false
    var priority: Int8 = 0

    /// Whether it drives by itself, unless another one does.
    fileprivate var isRunning: Bool { kind != .manipulation && !isWaiting }
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
  /// Whether a claim has a priority, or waits since one had: all other properties are spared the comparison.
  private(set) var isRanked = false

  /// The executor in charge: the holder of the latest grip, else the owner of the latest claim that does not wait, of
  /// those with the highest priority.
  ///
  /// The claim of a manipulation never drives by itself.
  var driver: ExecutorHandle? {
    guard isRanked else { return grips.last?.executor ?? claims.last { $0.isRunning }?.executor }
    let (grip, claim) = (topGrip, topClaim)
    guard let grip, let claim, claim.priority > priority(of: grip) else { return grip?.executor ?? claim?.executor }
    return claim.executor
  }

  /// The claim for which the ``driver`` drives: of several the latest.
  var leadingClaim: Claim? {
    let claim = topClaim
    guard let grip = topGrip, claim.map({ !isRanked || $0.priority <= priority(of: grip) }) ?? true else {
      return claim
    }
    return claims.last { $0.kind == .manipulation && !$0.isWaiting && $0.executor == grip.executor }
  }

  /// The plan of the ``leadingClaim``.
  var leading: IntentionIdentity? { leadingClaim?.identity }

  /// The claim that drives unless a manipulation does.
  private var topClaim: Claim? { isRanked ? highest { $0.isRunning } : claims.last { $0.isRunning } }

  /// The claims that drive unless a higher or later one does, in order: those that have begun, and those of active
  /// manipulations.
  var contenders: [Claim] {
    claims.filter { claim in
      claim.isRunning || claim.kind == .manipulation && !claim.isWaiting && isHeld(by: claim.executor)
    }
  }

  /// The grip that drives unless a claim does.
  private var topGrip: Grip? {
    guard isRanked, grips.count > 1 else { return grips.last }
    // Of equal ones the later: the comparison of the others keeps the first.
    return grips.reversed().max { priority(of: $0) < priority(of: $1) }
  }

  /// The priority of an active manipulation: that of its executor's latest plan, which is its highest.
  private func priority(of grip: Grip) -> Int8 {
    claims.last { $0.kind == .manipulation && !$0.isWaiting && $0.executor == grip.executor }?.priority ?? 0
  }

  /// The latest of the claims of the highest priority that satisfy the predicate.
  private func highest(where isMeant: (Claim) -> Bool) -> Claim? {
    var highest: Claim?
    for claim in claims where isMeant(claim) && claim.priority >= highest?.priority ?? .min { highest = claim }
    return highest
  }

  /// The owner of the claim that drives once no manipulation holds the property and no one-shot waits.
  private var heir: ExecutorHandle? {
    guard isRanked else { return claims.last { $0.kind != .manipulation && !$0.isDelayed }?.executor }
    return highest { $0.isRunning || $0.kind == .oneShot && !$0.isDelayed }?.executor
  }

  /// Whether there is at most one claim, and no manipulation.
  var hasNoRival: Bool { claims.count <= 1 && grips.isEmpty }

  /// Whether a manipulation holds the property; one of a higher priority may drive instead.
  var isHeld: Bool { !grips.isEmpty }

  /// Whether `executor` has a claim on the property that does not wait.
  func hasClaim(of executor: ExecutorHandle) -> Bool {
    claims.contains { $0.executor == executor && !$0.isWaiting }
  }

  /// Whether `executor` may manipulate the property.
  func mayManipulate(_ executor: ExecutorHandle) -> Bool {
    claims.contains { $0.executor == executor && $0.kind == .manipulation && !$0.isDelayed }
  }

  /// Whether a manipulation of `executor` holds the property.
  func isHeld(by executor: ExecutorHandle) -> Bool { grips.contains { $0.executor == executor } }

  /// Whether a new plan waits before its executor receives it.
  ///
  /// - A one-shot waits under an active manipulation, unless its priority is higher, and under a claim of a higher
  ///   priority.
  /// - A standing plan waits under a claim of a higher priority. A manipulation goes by.
  /// - A manipulation waits for one of the same executor with a higher priority. All others it may outlast.
  func delays(_ kind: IntentionKind, of executor: ExecutorHandle, priority: Int8) -> Bool {
    guard isRanked || priority != 0 else { return kind == .oneShot && isHeld }
    switch kind {
    case .oneShot: return grips.contains { self.priority(of: $0) >= priority } || isBelow(priority)
    case .standing: return isBelow(priority)
    case .manipulation:
      return claims.contains {
        $0.kind == .manipulation && $0.executor == executor && !$0.isWaiting && $0.priority > priority
      }
    case .output: return false
    }
  }

  /// Whether a claim of a higher priority has begun.
  private func isBelow(_ priority: Int8) -> Bool { claims.contains { $0.isRunning && $0.priority > priority } }

  /// Adds the claim of a new intention.
  mutating func add(
    _ identity: IntentionIdentity, kind: IntentionKind, executor: ExecutorHandle, isWaiting: Bool,
    isDelayed: Bool = false, priority: Int8 = 0
  ) {
    claims.append(
      Claim(
        identity: identity, kind: kind, executor: executor, isWaiting: isWaiting, isDelayed: isDelayed,
        priority: priority))
    if priority != 0 { isRanked = true }
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
    // What waits was kept from its executor by a priority that is gone now, perhaps.
    if isRanked { isRanked = claims.contains { $0.priority != 0 || $0.isWaiting } }
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

  /// The waiting claims that may wake as far as this property is concerned, the highest priority first: nothing delays
  /// them, and a one-shot is the heir's.
  var wakeable: [IntentionIdentity] {
    // Most properties have one writer, which does not wait: no array is made for that.
    guard claims.contains(where: \.isWaiting) else { return [] }
    guard isRanked else {
      guard !isHeld, let heir else { return [] }
      return claims.filter { $0.isWaiting && !$0.isDelayed && $0.executor == heir }.map(\.identity)
    }
    let heir = heir
    let waking = claims.filter { claim in
      claim.isWaiting && !claim.isDelayed && !delays(claim.kind, of: claim.executor, priority: claim.priority)
        && (claim.kind != .oneShot || claim.executor == heir)
    }
    let ranks = Set(waking.map(\.priority)).sorted(by: >)
    return ranks.flatMap { rank in waking.filter { $0.priority == rank }.map(\.identity) }
  }

  /// Whether this property delays the beginning of a plan that waits.
  func delays(_ identity: IntentionIdentity) -> Bool {
    guard let claim = claims.first(where: { $0.identity == identity }) else { return false }
    return claim.isDelayed || delays(claim.kind, of: claim.executor, priority: claim.priority)
  }

  /// Lets the time of a claim come: from now on it is the one that was added last.
  ///
  /// - Returns: whether its executor may receive the plan at once.
  mutating func begin(_ identity: IntentionIdentity) -> Bool {
    guard let index = claims.firstIndex(where: { $0.identity == identity }) else { return false }
    var claim = claims.remove(at: index)
    claim.isDelayed = false
    claims.append(claim)
    return !delays(claim.kind, of: claim.executor, priority: claim.priority)
  }

  /// Restores the manipulations of another runtime.
  mutating func restore(_ grips: [Grip], isRanked: Bool) { (self.grips, self.isRanked) = (grips, isRanked) }

  /// Ends the waiting of a claim.
  mutating func wake(_ identity: IntentionIdentity) {
    guard let index = claims.firstIndex(where: { $0.identity == identity }) else { return }
    claims[index].isWaiting = false
  }

  /// The one-shots that have lost the property for good: those that had begun and do not drive, and those that waited
  /// when a higher priority drives, or no manipulation holds the property any more and another writer inherits it. Those
  /// that waited for their time when another writer began.
  var lost: [Claim] {
    guard claims.count > 1 || !grips.isEmpty else { return [] }
    let (driver, heir) = (driver, heir)
    return claims.filter { claim in
      guard claim.kind == .oneShot else { return false }
      if claim.isDelayed { return isOvertaken(claim) }
      guard claim.isWaiting else { return claim.executor != driver }
      if outranking(claim) != nil { return true }
      return claim.executor != heir && !delays(.oneShot, of: claim.executor, priority: claim.priority)
    }
  }

  /// Whether a plan of a later transaction drives before the time of this one comes, unless the two drive together.
  private func isOvertaken(_ claim: Claim) -> Bool {
    claims.contains { other in
      other.isRunning && other.identity.sequence > claim.identity.sequence && other.priority >= claim.priority
        && (other.executor != claim.executor || other.kind == .oneShot)
    }
  }

  /// What drives with a higher priority than a claim, which therefore may not.
  func outranking(_ claim: Claim) -> Claim? {
    guard isRanked, let leading = leadingClaim, leading.priority > claim.priority else { return nil }
    return leading
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
    for claim in ranked where claim.executor != driver && !writers.contains(claim.executor) && !lost.contains(claim) {
      writers.append(claim.executor)
    }
    return writers
  }

  /// The claims, the latest of the highest priority first.
  private var ranked: [Claim] {
    let latestFirst = Array(claims.reversed())
    guard isRanked else { return latestFirst }
    let ranks = Set(latestFirst.map(\.priority)).sorted(by: >)
    return ranks.flatMap { rank in latestFirst.filter { $0.priority == rank } }
  }

  /// Whether another writer drives, or waits to drive, once this claim is removed.
  func hasSuccessor(of identity: IntentionIdentity) -> Bool {
    isHeld || claims.contains { $0.kind != .manipulation && !$0.isDelayed && $0.identity != identity }
  }

  /// Whether the same executor has another claim, which it takes up by itself once this one is removed.
  func hasSuccessor(of identity: IntentionIdentity, in executor: ExecutorHandle) -> Bool {
    claims.contains {
      $0.executor == executor && $0.kind != .manipulation && !$0.isDelayed && $0.identity != identity
    }
  }

  /// The identities of the claims of `executor`, in order of addition.
  func identities(of executor: ExecutorHandle) -> [IntentionIdentity] {
    claims.filter { $0.executor == executor }.map(\.identity)
  }

  /// The claims for which the ``driver`` drives, in order of addition: those of its highest priority that do not wait.
  var leadingIdentities: [IntentionIdentity] {
    guard let driver else { return [] }
    let running = claims.filter { $0.executor == driver && !$0.isWaiting }
    let highest = running.map(\.priority).max()
    return running.filter { $0.priority == highest }.map(\.identity)
  }
}
