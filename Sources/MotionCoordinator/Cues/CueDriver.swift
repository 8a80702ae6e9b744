import MotionCore
import MotionModel

/// Commits what lists of cues do by themselves: when the time of a cue has come, and when a timeline passes one.
struct CueDriver {
  /// A step that a list takes by itself.
  struct Step {
    let list: CueListName
    let step: CueStep
    /// The transaction that takes it.
    let commit: Commit

    init(_ list: CueListName, _ step: CueStep) {
      (self.list, self.step) = (list, step)
      var transaction = Transaction()
      transaction.cue(list, step)
      var commit = Commit(transaction, id: .random())
      commit.client = "cue list"
      self.commit = commit
    }
  }

  /// What is done about a step that is refused.
  enum Remedy {
    /// The list has moved on meanwhile.
    case none
    /// It is tried again a second later.
    case later
    /// It is taken without what the cue does.
    case without(Step)
  }

  private var watch = CueWatch()
  /// For each list, the step from which it was last moved on, and when that is tried again.
  private var attempts: [CueListName: (step: UInt64, again: Duration)] = [:]
  /// How long a step that has not been applied is left alone.
  private static let timeout = Duration.seconds(1)

  /// When a step that was not applied is tried again: it may have been refused, and no frame may follow.
  var deadline: Duration? { attempts.values.lazy.map(\.again).min() }

  /// The steps to commit after a frame, or at the ``deadline``.
  mutating func due(in runtime: Runtime, at now: Duration) -> [Step] {
    if !attempts.isEmpty { attempts = attempts.filter { runtime.cues[$0.key]?.position.step == $0.value.step } }
    return watch.due(in: runtime).compactMap { list, step in
      guard let from = step.origin else { return nil }
      if let attempt = attempts[list], attempt.step == from, now < attempt.again { return nil }
      attempts[list] = (from, now + Self.timeout)
      return Step(list, step)
    }
  }

  /// A step is refused.
  func remedy(for step: Step, _ refusal: Refusal, in runtime: Runtime) -> Remedy {
    guard let from = step.step.origin, runtime.cues[step.list]?.position.step == from else { return .none }
    if [.limit, .held, .storage, .stopping].contains(refusal.code) { return .later }
    if case .missing = step.step { return .later }
    return .without(Step(step.list, .missing(step.step, refusal.message)))
  }
}
