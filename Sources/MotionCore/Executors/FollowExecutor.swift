import MotionModel
import MotionPhysics

/// Fulfils `Follow`: moves properties by input values, in this process.
///
/// The plan that was added last moves its property. It begins with the property's value and velocity, and continues
/// from there by its own state: under limits, that is the demand.
final class FollowExecutor: UpdatingExecutor, YieldingExecutor {
  private let context: ExecutorContext
  var courses: [FollowCourse] = []
  /// The properties that other executors move.
  var displaced: Set<PropertyName> = []

  init(context: ExecutorContext) { self.context = context }

  /// The declaration for a registry.
  static var declaration: ExecutorDeclaration {
    ExecutorDeclaration(
      type: FollowIntention.description.executor, descriptions: [FollowIntention.description], acceptsNames: true
    ) { _, context in FollowExecutor(context: context) }
  }

  // MARK: Plans

  /// Takes over a plan whose input is absent; the runtime calls ``add(_:input:)``.
  func add(_ planned: PlannedIntention) throws { try add(planned) { _ in nil } }

  /// Takes over a plan.
  ///
  /// - Parameter input: the present value of a name.
  func add(_ planned: PlannedIntention, input: (InputName) -> InputRow?) throws {
    let intention = try FollowIntention(planned.intention)
    var course = FollowCourse(intention, of: planned.identity)
    course.receive(input(intention.input))
    courses.append(course)
    displaced.remove(intention.property)
    settle(intention.property)
  }

  func remove(_ identity: IntentionIdentity) {
    guard let index = courses.firstIndex(where: { $0.identity == identity }) else { return }
    settle(courses.remove(at: index).property)
  }

  /// An input has this value now; `nil` if it is gone.
  func receive(_ row: InputRow?, of name: InputName) {
    for index in courses.indices where courses[index].input == name { courses[index].receive(row) }
  }

  /// Lets the plan of a property that was added last move it, and no other.
  private func settle(_ property: PropertyName) {
    var mover = displaced.contains(property) ? nil : courses.lastIndex { $0.property == property }
    for index in courses.indices where courses[index].property == property {
      if index == mover {
        courses[index].begin()
        mover = nil
      } else {
        courses[index].end()
      }
    }
    if !courses.contains(where: { $0.property == property }) { displaced.remove(property) }
  }

  // MARK: Frames

  /// Moves the properties on to the frame's end.
  func update(_ frame: Frame) -> Bool {
    var isMoving = false
    for index in courses.indices where courses[index].isMoving {
      guard let present = context.state(of: courses[index].property) else { continue }
      let state = courses[index].advance(frame, from: present)
      context.write(courses[index].property, PropertyState(state.value, velocity: state.velocity))
      if !courses[index].isAtRest { isMoving = true }
    }
    return isMoving
  }

  /// The acceleration of a property that it has put into `state`; `nil` if it has not, or by no spring.
  func acceleration(of property: PropertyName, in state: PropertyState) -> SIMD4<Double>? {
    courses.last { $0.property == property && $0.isMoving }?.acceleration(in: state)
  }

  func displaced(_ property: PropertyName) {
    displaced.insert(property)
    settle(property)
  }

  func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    displaced.remove(property)
    settle(property)
  }
}
