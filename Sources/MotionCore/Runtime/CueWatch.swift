public import MotionModel

/// Determines which lists of cues go on by themselves: those whose time has come, and those whose timeline passes a cue.
///
/// motiond does this itself. A program that embeds a runtime commits the steps after each frame:
///
///     for (list, step) in watch.due(in: runtime) {
///       var transaction = Transaction()
///       transaction.cue(list, step)
///       try runtime.commit(transaction)
///     }
public struct CueWatch {
  /// What was seen of a timeline.
  private struct Course {
    /// The last value.
    var last: Double
    /// The value from which on cues are passed.
    var from: Double
    /// Whether it has jumped since the list moved on.
    var hasJumped = false
    /// The step of the list when this was seen.
    var step: UInt64
  }

  /// A timeline that changes by more than this within a frame has jumped.
  public static let jump = 1.0

  private var courses: [CueListName: Course] = [:]

  /// Nothing seen yet.
  public init() {}

  /// The steps that are due after a frame, at most one for each list. A step stays due until its transaction is accepted.
  ///
  /// Linear in the lists, and in the cues of those with a timeline.
  public mutating func due(in runtime: Runtime) -> [(list: CueListName, step: CueStep)] {
    guard !runtime.cues.isEmpty else { return [] }
    var steps: [(list: CueListName, step: CueStep)] = []
    for name in runtime.cues.names {
      guard let (list, position) = runtime.cues[name] else { continue }
      if let step = timelineStep(of: name, list, position, runtime) {
        steps.append((name, step))
      } else if let due = position.due, due <= runtime.frame.time {
        steps.append((name, .due(position.step)))
      }
    }
    return steps
  }

  /// What is seen of a timeline first: it goes on from the last cue that it passed before a restart. A list that was just
  /// loaded takes the state of its place.
  private func begin(at value: Double, _ list: CueList, _ position: CuePosition) -> Course {
    let from = position.passed ?? -.infinity
    let missed = list.firstCue(passedFrom: from, to: value) != nil
    return Course(last: value, from: from, hasJumped: missed && value - from > Self.jump, step: position.step)
  }

  private mutating func timelineStep(
    of name: CueListName, _ list: CueList, _ position: CuePosition, _ runtime: Runtime
  ) -> CueStep? {
    guard let timeline = list.timeline, let value = runtime.plans.state(of: timeline)?.value[0] else { return nil }
    var course = courses[name] ?? begin(at: value, list, position)
    defer { courses[name] = course }
    if course.step != position.step, position.current == nil, position.passed == nil {
      course = begin(at: value, list, position)
    } else if course.step != position.step {
      // A jump or a cue was carried out. What the timeline has passed meanwhile counts.
      course.from = position.passed ?? min(course.last, value)
      (course.step, course.hasJumped) = (position.step, false)
    }
    if abs(value - course.last) > Self.jump { course.hasJumped = true }
    course.last = value
    if course.hasJumped {
      if list.lastCue(passedAt: value) != position.current { return .jump(position.step, to: value) }
      // The state of this cue is there already.
      (course.from, course.hasJumped) = (value, false)
    }
    course.from = min(course.from, value)
    guard let cue = list.firstCue(passedFrom: course.from, to: value) else { return nil }
    // A cue that still waits begins before it, as before a go.
    return position.waits ? .due(position.step) : .fire(position.step, cue: cue)
  }
}
