import MotionModel

/// Fulfils `Follow`: moves properties by input values, in this process.
final class FollowExecutor: CourseExecutor {
  let context: ExecutorContext
  var courses: [FollowCourse] = []
  var displaced: Set<PropertyName> = []

  init(context: ExecutorContext) { self.context = context }

  /// The declaration for a registry.
  static var declaration: ExecutorDeclaration {
    ExecutorDeclaration(
      type: FollowIntention.description.executor, descriptions: [FollowIntention.description], acceptsNames: true
    ) { _, context in FollowExecutor(context: context) }
  }

  /// Takes over a plan whose input is absent; the runtime calls ``add(_:input:)``.
  func add(_ planned: PlannedIntention) throws { try add(planned) { _ in nil } }

  /// Takes over a plan.
  ///
  /// - Parameter input: the present value of a name.
  func add(_ planned: PlannedIntention, input: (InputName) -> InputRow?) throws {
    let intention = try FollowIntention(planned.intention)
    var course = FollowCourse(intention, of: planned.identity)
    course.receive(input(intention.input))
    add(course)
  }

  /// An input has this value now; `nil` if it is gone.
  func receive(_ row: InputRow?, of name: InputName) {
    for index in courses.indices where courses[index].input == name { courses[index].receive(row) }
  }
}
