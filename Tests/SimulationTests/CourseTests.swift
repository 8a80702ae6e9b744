import MotionModel
import Testing

@testable import MotionCore

/// The check of moves in the simulation, ``Course``.
@Suite struct CourseTests {
  private static let property = PropertyReference("e.1", "turn")

  /// Limits of a property return it into a range that was set in mid-move, faster than its MoveTo moves.
  @Test func moveIsNotHeldToItsOwnLimitsBehindThoseOfItsProperty() throws {
    let limits = PropertyLimits(
      range: .init(-59, -11), velocity: 460, acceleration: 8_300, jerk: 82_000)
    #expect(try Self.problems(maxAcceleration: 685, maxJerk: 4_200, limits: limits) == [])
  }

  @Test func moveBeyondItsLimitsIsFound() throws {
    #expect(try Self.problems(maxAcceleration: 685, maxJerk: 4_200) == [])
    let found = try #require(try Self.problems(maxAcceleration: 8_300, maxJerk: 82_000).first)
    #expect(found.contains("moved faster than its limits"))
  }

  /// The problems of a move to −90, in whose third frame its property is limited.
  private static func problems(
    maxAcceleration: Double, maxJerk: Double, limits: PropertyLimits? = nil
  ) throws -> [String] {
    let runtime = Runtime(ratePerSecond: 50)
    var transaction = Transaction()
    transaction.add(
      .moveTo(property.property, -90, maxVelocity: 190, maxAcceleration: maxAcceleration, maxJerk: maxJerk),
      to: property.target)
    try runtime.commit(transaction)
    var problems: [String] = []
    var last: Course?
    for frame in 0..<100 {
      if frame == 2, let limits {
        var transaction = Transaction()
        transaction.limit(property.property, of: property.target, limits)
        try runtime.commit(transaction)
      }
      runtime.advance()
      guard let slot = runtime.movement.properties.occupied.first(where: { _ in true }) else { continue }
      let course = Course(of: slot, in: runtime)
      if let problem = last.flatMap({ course.problemOfMove(since: $0, in: runtime.frame, of: property) }) {
        problems.append(problem)
      }
      last = course
    }
    #expect(last != nil)
    return problems
  }
}
