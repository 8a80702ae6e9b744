import MotionModel

/// Who may drive one property, and who does: the decision alone.
///
/// Writers are executors; each has claims, one for every unfinished intention of it that writes the property. The rules
/// (design §5): among manipulations that are active the latest started drives; otherwise the writer whose claim was
/// added last. One-shots that lose a property are displaced and do not come back; those added under an active
/// manipulation wait. Standing claims stay and resume. Costs are linear in the claims, which are few.
struct WriterStack {
  /// An unfinished intention that writes the property.
  struct Claim: Equatable {
    var identity: IntentionIdentity
    var kind: IntentionKind
    var executor: ExecutorHandle
    /// The order of addition, over all properties of the runtime.
    var order: UInt64
    /// Whether it waits for an active manipulation to end before its executor hears of it.
    var isWaiting: Bool
  }

  /// A manipulation that is active on the property.
  struct Grip: Equatable {
    var executor: ExecutorHandle
    /// What holds it: a token that names the property, or `nil` for one that holds until the executor has none.
    var token: TokenName?
  }

  private(set) var claims: [Claim] = []
  /// The active manipulations, the latest started last.
  private(set) var grips: [Grip] = []

  /// The executor in charge: the holder of the latest grip, else the owner of the latest claim that may drive.
  ///
  /// The claim of a manipulation never drives by itself.
  var driver: ExecutorHandle? {
    grips.last?.executor ?? claims.last { $0.kind != .manipulation }?.executor
  }

  /// Whether a manipulation drives.
  var isHeld: Bool { !grips.isEmpty }
  /// Whether nobody has any claim on the property.
  var isEmpty: Bool { claims.isEmpty && grips.isEmpty }

  /// Whether `executor` has a claim on the property, waiting ones apart.
  func hasClaim(of executor: ExecutorHandle) -> Bool {
    claims.contains { $0.executor == executor && !$0.isWaiting }
  }

  /// Whether `executor` may take the property by hand.
  func mayManipulate(_ executor: ExecutorHandle) -> Bool {
    claims.contains { $0.executor == executor && $0.kind == .manipulation }
  }

  /// Whether `executor` holds the property by hand.
  func isHeld(by executor: ExecutorHandle) -> Bool { grips.contains { $0.executor == executor } }

  /// Adds the claim of a new intention; one-shots wait while a manipulation holds the property.
  ///
  /// - Returns: whether it waits.
  mutating func add(
    _ identity: IntentionIdentity, kind: IntentionKind, executor: ExecutorHandle, order: UInt64
  ) -> Bool {
    let waits = kind == .oneShot && isHeld
    claims.append(Claim(identity: identity, kind: kind, executor: executor, order: order, isWaiting: waits))
    return waits
  }

  /// Takes away the claim of an intention that is finished or removed.
  mutating func remove(_ identity: IntentionIdentity) {
    claims.removeAll { $0.identity == identity }
  }

  /// Takes away everything of an executor.
  mutating func removeAll(of executor: ExecutorHandle) {
    claims.removeAll { $0.executor == executor }
    grips.removeAll { $0.executor == executor }
  }

  /// A manipulation starts; one that runs keeps its place.
  mutating func grip(_ executor: ExecutorHandle, token: TokenName?) {
    let grip = Grip(executor: executor, token: token)
    guard mayManipulate(executor), !grips.contains(grip) else { return }
    grips.append(grip)
  }

  /// What `token` held is let go; without a token, everything of the executor.
  ///
  /// - Returns: whether anything was let go.
  mutating func release(_ executor: ExecutorHandle, token: TokenName?) -> Bool {
    let before = grips.count
    grips.removeAll { $0.executor == executor && (token == nil || $0.token == token) }
    return grips.count != before
  }

  /// The waiting claims whose time has come, because no manipulation holds the property and their writer drives.
  mutating func wake() -> [IntentionIdentity] {
    guard !isHeld, let driver else { return [] }
    var woken: [IntentionIdentity] = []
    for index in claims.indices where claims[index].isWaiting && claims[index].executor == driver {
      claims[index].isWaiting = false
      woken.append(claims[index].identity)
    }
    return woken
  }

  /// The one-shots that have lost the property for good: those of other writers than the driver, and, while a
  /// manipulation drives, those that had already begun.
  func displacedOneShots() -> [Claim] {
    guard let driver else { return [] }
    return claims.filter { claim in
      claim.kind == .oneShot && claim.executor != driver && !(isHeld && claim.isWaiting)
    }
  }

  /// The writers that would write if nobody told them not to: those with a claim that is not a manipulation's and does
  /// not wait, and those that hold the property by hand.
  var speakers: [ExecutorHandle] {
    var writers = grips.map(\.executor)
    for claim in claims where claim.kind != .manipulation && !claim.isWaiting { writers.append(claim.executor) }
    return writers
  }

  /// The writers below the driver that could resume, topmost first, each once.
  var waitingWriters: [ExecutorHandle] {
    var writers: [ExecutorHandle] = []
    for claim in claims.reversed() where claim.executor != driver && !writers.contains(claim.executor) {
      writers.append(claim.executor)
    }
    return writers
  }

  /// The identities of the claims of `executor`, in order of addition.
  func identities(of executor: ExecutorHandle) -> [IntentionIdentity] {
    claims.filter { $0.executor == executor }.map(\.identity)
  }
}
