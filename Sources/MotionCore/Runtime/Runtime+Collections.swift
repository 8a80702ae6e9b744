public import MotionModel

/// The content of a runtime as plain collections: for programs that embed it, and for tests.
///
/// Each is made when it is read, in the order of the lists of `motionctl`: linear in the size of the runtime. To follow
/// values frame by frame, read ``state(of:on:)`` or publish instead.
extension Runtime {
  /// The targets, in order of first mention.
  public var currentTargets: [TargetRow] {
    if case .targets(let rows)? = try? answer(.targets) { rows } else { [] }
  }

  /// The properties of all targets, with the driver of each.
  public var currentProperties: [PropertyRow] {
    if case .properties(let rows)? = try? answer(.properties(nil)) { rows } else { [] }
  }

  /// The executors of all targets.
  public var currentExecutors: [ExecutorRow] {
    if case .executors(let rows)? = try? answer(.executors(nil)) { rows } else { [] }
  }

  /// The intentions of all targets in order of addition, and the latest failed ones.
  public var currentIntentions: [IntentionRow] {
    if case .intentions(let rows)? = try? answer(.intentions(nil)) { rows } else { [] }
  }

  /// The tokens that executors hold.
  public var currentTokens: [TokenRow] {
    if case .tokens(let rows)? = try? answer(.tokens(nil)) { rows } else { [] }
  }
}
