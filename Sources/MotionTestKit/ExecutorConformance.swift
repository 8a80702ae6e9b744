public import MotionModel

/// Checks that an executor fulfils the contract of `Executor`: for the authors of executors.
///
/// The caller passes a closure that makes a driver of a fresh executor, and some plans that the executor fulfils. The
/// suite runs each plan many times over, undisturbed and disturbed, and returns the violations. It is independent of
/// any test framework:
///
///     let conformance = ExecutorConformance(plans: [.tween("opacity", to: 0)]) {
///       RecordingExecutorHost(ExecutorDeclaration(TweenExecutor.self))
///     }
///     #expect(conformance.violations() == [])
///
/// With a driver that runs the executor in a worker process, the same checks apply to the worker.
public struct ExecutorConformance {
  /// A rule that every executor keeps.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// The same calls have the same results.
    case repeatable
    /// Every write is finite, has the property's lanes, and goes to a property that its plans write.
    case writesWhatItMay = "writes-what-it-may"
    /// Values move as the velocities state, starting at the property's state: no jump unless the write imposes a value.
    case velocityIsTheValuesOwn = "velocity-is-the-values-own"
    /// Values at a time do not depend on the number of frames before it.
    case independentOfFrames = "independent-of-frames"
    /// One-shots finish once, at rest; others never.
    case finishesOnce = "finishes-once"
    /// Of two equal one-shots the second takes over, and the first is reported as displaced, once.
    case laterOneShotDisplaces = "later-one-shot-displaces"
    /// An executor that requests no frame holds no token.
    case endsItsTokens = "ends-its-tokens"
    /// Removing a plan that the executor never had changes nothing.
    case ignoresUnknownRemovals = "ignores-unknown-removals"
    /// After a plan is removed, the executor writes and reports nothing more about it, holds no token and requests no
    /// frame.
    case silentAfterRemoval = "silent-after-removal"
    /// While another writer drives the property, the executor writes nothing there; a one-shot is removed.
    case silentWhenDisplaced = "silent-when-displaced"
    /// When a property is given back, the executor continues from the given state.
    case resumesFromState = "resumes-from-state"
    /// A refused plan throws an error and leaves the executor unchanged.
    case refusesWithoutTrace = "refuses-without-trace"
    /// A named plan moves like an unnamed one, is removed by its name, and the name can be used again.
    case namedAsUnnamed = "named-as-unnamed"
  }

  /// A violation of a rule.
  public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The rule.
    public var rule: Rule
    /// The plan that was run.
    public var plan: Intention
    /// The violation as text.
    public var detail: String

    /// `silent-after-removal, Tween: wrote opacity at 0.1 s`
    public var description: String { "\(rule.rawValue), \(plan.type): \(detail)" }
  }

  /// The plans that are run. Each moves smoothly, for at least ``disturbance`` and four frames. A one-shot ends within
  /// ``timeout``.
  public let plans: [Intention]
  /// Plans that the executor refuses.
  public let refused: [Intention]
  /// The length of a frame, in seconds. 1/512 is exact in binary, so that three short frames end exactly when a long
  /// one does. It is short relative to visible movement.
  public let dt: Double
  /// The number of frames after which a run is disturbed.
  public let disturbance: Int
  /// The number of frames within which a one-shot must end, and for which a plan without an end is run.
  public let timeout: Int
  /// The most by which values may differ from the velocities, as a share of the distance at the greatest speed seen.
  public let tolerance: Double
  /// Makes a driver of a fresh executor, always the same.
  let makeDriver: () -> any ExecutorDriver

  /// Creates a suite for an executor.
  ///
  /// - Parameters:
  ///   - plans: the plans that the executor fulfils; see ``plans``.
  ///   - refused: plans that it refuses when they are added.
  ///   - dt: the length of a frame, in seconds.
  ///   - disturbance: the number of frames after which a run is disturbed.
  ///   - timeout: the number of frames within which a one-shot must end.
  ///   - tolerance: see ``tolerance``; a hundredth admits the error of a second-order method in frames this short.
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

  /// Runs all plans under all rules, and returns the violations; empty if there are none.
  public func violations() -> [Violation] {
    plans.flatMap { plan in Rule.allCases.flatMap { violations(of: $0, by: plan) } }
  }

  /// Runs one plan under one rule, and returns the violations.
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
