import MotionModel

/// A property on its way by a standing plan of this process.
protocol StandingCourse {
  var identity: IntentionIdentity { get }
  var property: PropertyName { get }
  /// Whether it moves its property.
  var isMoving: Bool { get }
  /// Whether nothing changes until something happens to it.
  var isAtRest: Bool { get }

  /// Moves the property from now on, from its present state.
  mutating func begin()
  /// No longer moves the property.
  mutating func end()
  /// Moves on to the end of a frame.
  ///
  /// - Parameter present: the state of the property.
  mutating func advance(_ frame: Frame, from present: PropertyState) -> (value: Lanes, velocity: Lanes)
  /// The acceleration in the state into which it has put the property; `nil` if it has not, or none is known.
  func acceleration(in present: PropertyState) -> SIMD4<Double>?
}

/// Fulfils standing plans of this process that move one property each.
///
/// The plan that was added last moves its property. It begins with the property's value and velocity, and continues
/// from there by its own state: under limits, that is the demand. Plans below it, and all while another executor moves
/// the property, wait.
///
/// A protocol, and no class to inherit from: its methods are compiled for each kind of course. In a generic class, a frame
/// of a course took twice as long.
protocol CourseExecutor: UpdatingExecutor, YieldingExecutor {
  associatedtype Way: StandingCourse
  var context: ExecutorContext { get }
  /// The courses of its plans, in the order in which they were added.
  var courses: [Way] { get set }
  /// The properties that other executors move.
  var displaced: Set<PropertyName> { get set }
}

extension CourseExecutor {
  // MARK: Plans

  /// Takes over the course of a plan.
  func add(_ course: Way) {
    courses.append(course)
    displaced.remove(course.property)
    settle(course.property)
  }

  func remove(_ identity: IntentionIdentity) {
    guard let index = courses.firstIndex(where: { $0.identity == identity }) else { return }
    settle(courses.remove(at: index).property)
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

  /// The acceleration of a property that it has put into `state`; `nil` if it has not, or none is known.
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
