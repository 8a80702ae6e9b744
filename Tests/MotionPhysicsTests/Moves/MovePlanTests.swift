import Testing

@testable import MotionPhysics

@Suite struct MovePlanTests {
  private let limits = MoveLimits(maxVelocity: 1, maxAcceleration: 1, maxJerk: 1)

  /// At full speed towards a near target that is to be passed at full speed: a little later is impossible.
  @Test func durationsWithinAGapAreReplacedByItsEnd() throws {
    let from = MoveState(position: 0, velocity: 1)
    let plan = try MovePlan(from: from, to: 0.1, velocity: 1, limits: limits)
    #expect(abs(plan.shortestDuration - 0.1) < 1e-14)
    #expect(plan.possibleDuration(atLeast: 0.05) == plan.shortestDuration)
    let next = plan.possibleDuration(atLeast: 0.2)
    #expect(next > 3)
    #expect(plan.possibleDuration(atLeast: next) == next)
    #expect(plan.possibleDuration(atLeast: next + 1) == next + 1)
    #expect(throws: MoveError.self) { try plan.move(lasting: next - 0.01) }
    for duration in [next, next + 0.01, next + 1, next + 100] {
      let move = try plan.move(lasting: duration)
      #expect(move.duration == duration)
      #expect(violations(of: move, limits: limits).isEmpty)
    }
  }

  /// Durations just inside the edges of the gaps, where no cruising velocity fits.
  @Test func everyPossibleDurationHasAMove() throws {
    var generator = SeededGenerator.fromEnvironment()
    var means = 0
    var gaps = 0
    for _ in 0..<20_000 {
      let item = generator.insideCase()
      let plan = try item.plan()
      let wanted = plan.shortestDuration * (1 + generator.magnitude(-3...0))
      let duration = plan.possibleDuration(atLeast: wanted)
      if duration > wanted { gaps += 1 }
      let move = try plan.move(lasting: duration)
      #expect(abs(move.duration - duration) <= 1e-12 * duration)
      if move.segments.count > 7 { means += 1 }
      #expect(move.segments.count <= 14)
      let found = violations(of: move, limits: item.limits, points: 200)
      #expect(found.isEmpty, "\(item) in \(duration): \(found)")
      // A gap ends where the answer says.
      if duration > wanted {
        let before = wanted + 0.999 * (duration - wanted)
        #expect(plan.possibleDuration(atLeast: before) >= duration * (1 - 1e-9), "\(item) in \(before)")
      }
    }
    print("\(gaps) durations in gaps, \(means) means of two moves")
    #expect(gaps > 0 && means > 0)
  }

  @Test func slowMoveFromRestIsSlowEverywhere() throws {
    let move = try MovePlan(from: MoveState(position: 0), to: 1, limits: limits).move(lasting: 100)
    for index in 0...1_000 {
      let velocity = move.state(at: Double(index) / 10).velocity
      #expect(velocity >= 0 && velocity < 0.0102)
    }
  }

  @Test func membersOfAGroupArriveTogether() throws {
    var generator = SeededGenerator.fromEnvironment()
    for _ in 0..<3_000 {
      let items = (0..<4).map { _ in generator.insideCase() }
      let plans = try items.map { try $0.plan() }
      let duration = MovePlan.synchronised(plans)
      for (plan, item) in zip(plans, items) {
        #expect(plan.shortestDuration <= duration)
        let move = try plan.move(lasting: duration)
        #expect(abs(move.duration - duration) <= 1e-12 * duration)
        let found = violations(of: move, limits: item.limits, points: 50)
        #expect(found.isEmpty, "\(item) in \(duration): \(found)")
      }
    }
  }

  @Test func groupKeepsItsMinimum() throws {
    let plan = try MovePlan(from: MoveState(position: 0), to: 1, limits: limits)
    #expect(MovePlan.synchronised([plan, plan]) == plan.shortestDuration)
    #expect(MovePlan.synchronised([plan], atLeast: 60) == 60)
    #expect(MovePlan.synchronised([MovePlan](), atLeast: 2) == 2)
    #expect(MovePlan.synchronised([MovePlan]()) == 0)
  }

  /// One member is displaced in mid-move and planned again; it still arrives with the others.
  @Test func displacedMemberIsPlannedAgainAlone() throws {
    let far = try MovePlan(from: MoveState(position: 0), to: 10, limits: limits)
    let near = try MovePlan(from: MoveState(position: 0), to: 1, limits: limits)
    let duration = MovePlan.synchronised([far, near])
    let move = try near.move(lasting: duration)
    var state = move.state(at: 2)
    state.position += 0.5
    let again = try MovePlan(from: state, to: 1, limits: limits)
    let rest = again.possibleDuration(atLeast: duration - 2)
    #expect(abs(rest - (duration - 2)) < 1e-12)
    #expect(violations(of: try again.move(lasting: rest), limits: limits).isEmpty)
  }
}
