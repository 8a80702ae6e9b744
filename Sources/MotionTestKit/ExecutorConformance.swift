public import MotionModel

/// Checks that an executor keeps the contract of `Executor`: for the authors of executors.
///
/// It is told how to make a driver of a fresh executor, and some plans that the executor fulfils; it runs each of them
/// many times over, undisturbed and disturbed, and returns what was broken. It belongs to no test framework:
///
///     let conformance = ExecutorConformance(plans: [.tween("opacity", to: 0)]) {
///       RecordingExecutorHost(ExecutorDeclaration(TweenExecutor.self))
///     }
///     #expect(conformance.violations() == [])
///
/// With a driver that puts a worker process in between, the same checks hold for the worker.
public struct ExecutorConformance {
  /// Something that every executor does, or never does.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// The same calls have the same results.
    case repeatable
    /// What it writes is finite, of the property's lanes, and of a property that its plans write.
    case writesWhatItMay = "writes-what-it-may"
    /// Values move as the velocities say, from where the property was on: no jump unless it says that it imposes one.
    case velocityIsTheValuesOwn = "velocity-is-the-values-own"
    /// Values at a time do not depend on how many frames led there.
    case independentOfFrames = "independent-of-frames"
    /// One-shots finish once, at rest; others never.
    case finishesOnce = "finishes-once"
    /// Of two equal one-shots the second takes over, and the first is reported as displaced, once.
    case laterOneShotDisplaces = "later-one-shot-displaces"
    /// When it wants no frame, it holds no token.
    case endsItsTokens = "ends-its-tokens"
    /// Removing what it never had changes nothing.
    case ignoresUnknownRemovals = "ignores-unknown-removals"
    /// After a plan is removed nothing more is written or said of it, no token is held, no frame wanted.
    case silentAfterRemoval = "silent-after-removal"
    /// While another writer has the property, it writes nothing there; a one-shot is gone.
    case silentWhenDisplaced = "silent-when-displaced"
    /// Given a property back, it goes on from the state it is given.
    case resumesFromState = "resumes-from-state"
    /// A plan that it refuses throws, and leaves the executor as it was.
    case refusesWithoutTrace = "refuses-without-trace"
    /// A named plan moves as an unnamed one, is removed by its name, and the name can be used again.
    case namedAsUnnamed = "named-as-unnamed"
  }

  /// A rule that was broken.
  public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// Which.
    public var rule: Rule
    /// By which plan.
    public var plan: Intention
    /// How.
    public var detail: String

    /// `silent-after-removal, Tween: wrote opacity at 0.1 s`
    public var description: String { "\(rule.rawValue), \(plan.type): \(detail)" }
  }

  /// The plans that are run. Each moves smoothly, for at least ``disturbance`` and four frames, and, if it is a one-shot,
  /// ends within ``timeout``.
  public let plans: [Intention]
  /// Plans that the executor refuses.
  public let refused: [Intention]
  /// The length of a frame, in seconds. 1/512 is exact in binary, so that three short frames end exactly when a long one
  /// does, and short against what moves visibly.
  public let dt: Double
  /// After how many frames a run is disturbed.
  public let disturbance: Int
  /// After how many frames a one-shot must be over, and how many are run of what never ends.
  public let timeout: Int
  /// By how much values may differ from what velocities say, as a share of the way at the greatest speed seen.
  public let tolerance: Double
  /// Makes a driver of a fresh executor, always the same.
  let makeDriver: () -> any ExecutorDriver

  /// A suite for an executor.
  ///
  /// - Parameters:
  ///   - plans: what it fulfils; see ``plans``.
  ///   - refused: plans that it refuses when they are added.
  ///   - dt: the length of a frame, in seconds.
  ///   - disturbance: after how many frames a run is disturbed.
  ///   - timeout: after how many frames a one-shot must be over.
  ///   - tolerance: see ``tolerance``; a hundredth lets pass what a second-order method errs in frames this short.
  ///   - makeDriver: makes a driver of a fresh executor, always the same.
  public init(
    plans: [Intention], refused: [Intention] = [], dt: Double = 1.0 / 512, disturbance: Int = 24, timeout: Int = 2048,
    tolerance: Double = 0.01, makeDriver: @escaping () -> any ExecutorDriver
  ) {
    self.plans = plans
    self.refused = refused
    self.dt = dt
    self.disturbance = disturbance
    self.timeout = timeout
    self.tolerance = tolerance
    self.makeDriver = makeDriver
  }

  /// Runs all plans under all rules, and returns what was broken; nothing if all is well.
  public func violations() -> [Violation] {
    plans.flatMap { plan in Rule.allCases.flatMap { violations(of: $0, by: plan) } }
  }

  /// Runs one plan under one rule.
  public func violations(of rule: Rule, by plan: Intention) -> [Violation] {
    let details =
      switch rule {
      case .repeatable: checkRepeatable(plan)
      case .writesWhatItMay: checkWrites(plan)
      case .velocityIsTheValuesOwn: checkVelocity(plan)
      case .independentOfFrames: checkFrames(plan)
      case .finishesOnce: checkFinish(plan)
      case .laterOneShotDisplaces: checkReplacement(plan)
      case .endsItsTokens: checkTokens(plan)
      case .ignoresUnknownRemovals: checkUnknownRemovals(plan)
      case .silentAfterRemoval: checkRemoval(plan)
      case .silentWhenDisplaced: checkDisplacement(plan)
      case .resumesFromState: checkResumption(plan)
      case .refusesWithoutTrace: checkRefusal(plan)
      case .namedAsUnnamed: checkNames(plan)
      }
    return details.map { Violation(rule: rule, plan: plan, detail: $0) }
  }
}
