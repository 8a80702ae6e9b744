import MotionModel
import MotionPhysics

/// Fulfils `MoveTo`: the fastest way to a place under limits, in this process.
///
/// A move is solved once, when it begins or when the common duration of its group is known. It is then a function of
/// time, and costs a polynomial for each lane and frame. From its start it can be repeated to the bit, so that a restart
/// continues it exactly.
///
/// On each property one move is under way. A later one begins with value, velocity and acceleration of the earlier one,
/// which is finished as displaced.
final class MoveExecutor: UpdatingExecutor, YieldingExecutor {
  private let context: ExecutorContext
  private(set) var courses: [MoveCourse] = []

  init(context: ExecutorContext) { self.context = context }

  /// The declaration for a registry.
  static var declaration: ExecutorDeclaration {
    ExecutorDeclaration(
      type: MoveToIntention.description.executor, descriptions: [MoveToIntention.description], acceptsNames: true
    ) { _, context in MoveExecutor(context: context) }
  }

  // MARK: Plans

  /// Begins a move by itself; the runtime calls ``add(_:limits:lasting:)``.
  func add(_ planned: PlannedIntention) throws {
    try add(planned, limits: PropertyLimits(), lasting: nil, at: planned.startTime)
  }

  /// Begins a move, or continues one that began before.
  ///
  /// - Parameters:
  ///   - planned: the plan, with the state of its property when its time began.
  ///   - limits: the limits of its property, which apply where it has none.
  ///   - duration: the duration that was settled with its group before a restart.
  ///   - time: the present simulated time.
  func add(_ planned: PlannedIntention, limits: PropertyLimits, lasting duration: Double?, at time: Double) throws {
    let intention = try MoveToIntention(planned.intention)
    guard let start = planned.starts.first else {
      throw Refusal(.value, "the state at the start of the move is not known", remedy: "Commit it again.")
    }
    let course = try MoveCourse(intention, planned, from: start, limits: limits, lasting: duration, at: time)
    if let index = courses.firstIndex(where: { $0.property == intention.property }) {
      let displaced = courses.remove(at: index).identity
      courses.append(course)
      return context.finish(displaced, .displaced)
    }
    courses.append(course)
  }

  /// Ends a move; the property stays where it is.
  func remove(_ identity: IntentionIdentity) { courses.removeAll { $0.identity == identity } }

  // MARK: Groups

  /// The moves of the lanes of a plan, to find a common duration; empty for an unknown plan.
  func lanes(of identity: IntentionIdentity) -> [MovePlan] {
    courses.first { $0.identity == identity }?.plans ?? []
  }

  /// The shortest duration that a plan states for itself, in seconds.
  func minimumDuration(of identity: IntentionIdentity) -> Double {
    courses.first { $0.identity == identity }?.minimum ?? 0
  }

  /// Solves a plan again, for the common duration of its group.
  func set(_ identity: IntentionIdentity, lasting duration: Double) throws {
    guard let index = courses.firstIndex(where: { $0.identity == identity }) else { return }
    try courses[index].solve(lasting: duration)
  }

  // MARK: Recovery

  /// Properties stood still during a recovery, until now: the moves continue from there, and not where they would be.
  ///
  /// - Returns: the new start of each move that begins later by this, in seconds.
  func standStill(until time: Double) -> [(identity: IntentionIdentity, startTime: Double)] {
    courses.indices.compactMap {
      courses[$0].standStill(until: time) ? (courses[$0].identity, courses[$0].startTime) : nil
    }
  }

  // MARK: Frames

  /// Moves the properties on to the frame's end.
  func update(_ frame: Frame) -> Bool {
    var index = 0
    while index < courses.count {
      let elapsed = frame.time - courses[index].startTime
      let (property, identity) = (courses[index].property, courses[index].identity)
      let isOver = elapsed >= courses[index].duration
      context.write(property, courses[index].state(at: elapsed))
      guard isOver else {
        index += 1
        continue
      }
      courses.remove(at: index)
      context.finish(identity)
    }
    return !courses.isEmpty
  }

  /// The acceleration of a property that a move of this executor has put into `state` at `time`; 0 in the lanes in
  /// which the property is somewhere else, for example at a bound. `nil` if no move is under way there.
  func acceleration(of property: PropertyName, in state: PropertyState, at time: Double) -> Lanes? {
    guard let index = courses.firstIndex(where: { $0.property == property }) else { return nil }
    return courses[index].acceleration(in: state, at: time - courses[index].startTime)
  }

  /// Ends the move of a property that another executor moves from now on.
  func displaced(_ property: PropertyName) { courses.removeAll { $0.property == property } }

  /// A move that was displaced has ended.
  func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {}
}
