import MotionCore
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing

/// One finger that goes 64 to the right and 32 down in a second, evenly, and a second one that is down in between:
/// it moves away from the first to twice the distance, and a quarter round it.
private func touch() throws -> PointerTrace {
  var events: [PointerTrace.Event] = []
  for step in 0...64 {
    let time = Double(step) / 64
    let first = SIMD2(64, 32) * time
    events.append(
      .init(time: time, pointer: 1, phase: step == 0 ? .down : step == 64 ? .up : .move, location: first))
    guard (16...48).contains(step) else { continue }
    let share = Double(step - 16) / 32
    let reach = 100 * (1 + share)
    // Along x at first, along y at last: the angle is not even, which only its ends are asked for.
    let span = SIMD2(reach * (1 - share), reach * share)
    events.append(
      .init(
        time: time, pointer: 2, phase: step == 16 ? .down : step == 48 ? .up : .move, location: first + span))
  }
  return try PointerTrace(events)
}

private let dt = 1.0 / 64

private func gestureHost(_ properties: [PropertyName: PropertyState] = [:]) throws -> RecordingExecutorHost {
  RecordingExecutorHost(
    GestureReplayExecutor.declaration(replaying: try touch()), target: "square", properties: properties)
}

/// The one finger alone.
private func oneFinger() throws -> PointerTrace {
  try PointerTrace(try touch().events.filter { $0.pointer == 1 })
}

@Suite struct GestureReplayExecutorTests {
  @Test func dragsFromWhereThePropertyIs() throws {
    let host = RecordingExecutorHost(
      GestureReplayExecutor.declaration(replaying: try oneFinger()),
      properties: ["position": PropertyState([1000, 0])])
    try host.add(.draggable(slop: 0))
    for _ in 0..<32 { host.advance(by: dt) }
    #expect(host.tokens == ["drag"])
    #expect(host.state(of: "position") == PropertyState([1032, 16], velocity: [64, 32]))
    guard case .started("drag", let moving)? = host.reports.first?.content else {
      Issue.record("the drag does not start first")
      return
    }
    #expect(moving == ["position"])
    #expect(host.advance(by: dt, untilIdleWithin: 64))
    // Let go in movement, exactly where the hand was; the intention stays.
    #expect(host.state(of: "position") == PropertyState([1064, 32], velocity: [64, 32]))
    #expect(host.reports.last?.content == .ended("drag"))
    #expect(host.finished.isEmpty && host.plans.count == 1)
  }

  @Test func slopDelaysTheDragAndDoesNotCount() throws {
    let host = RecordingExecutorHost(GestureReplayExecutor.declaration(replaying: try oneFinger()))
    try host.add(.draggable())
    // 16 units of a way of 71.55 a second are left after 0.2236 s, in the 15th frame.
    for _ in 0..<15 { host.advance(by: dt) }
    #expect(host.tokens.isEmpty && host.isActive && host.reports.isEmpty)
    for _ in 0..<2 { host.advance(by: dt) }
    #expect(host.tokens == ["drag"])
    #expect(host.state(of: "position")?.value == [2, 1])
  }

  @Test func slopOfAMovingPropertyIsNone() throws {
    let host = RecordingExecutorHost(
      GestureReplayExecutor.declaration(replaying: try oneFinger()),
      properties: ["position": PropertyState([0, 0], velocity: [5, 0])])
    try host.add(.draggable())
    host.advance(by: dt)
    #expect(host.tokens == ["drag"])
  }

  @Test func slopThatIsNeverLeftIsNoDrag() throws {
    let host = try gestureHost()
    try host.add(.draggable(slop: 1000))
    host.advance(by: dt)
    #expect(!host.isActive && host.reports.isEmpty)
  }

  @Test func axisLocksTheOtherLane() throws {
    let host = try gestureHost(["position": PropertyState([5, 7])])
    try host.add(.draggable(axis: .y, slop: 0))
    host.advance(by: dt, untilIdleWithin: 100)
    #expect(host.writes(of: "position").allSatisfy { $0.state.value[0] == 5 && $0.state.velocity[0] == 0 })
    #expect(host.state(of: "position")?.value[1] != 7)
  }

  @Test func perimeterHoldsBack() throws {
    let host = RecordingExecutorHost(GestureReplayExecutor.declaration(replaying: try oneFinger()))
    try host.add(.draggable(perimeter: [-10, -10, 30, 100], maxLength: 10, slop: 0))
    host.advance(by: dt, untilIdleWithin: 100)
    // 64 is 44 beyond the edge at 20: 20 + 10·(1 − 1/(0.55·44/10 + 1)).
    let expected = 20 + 10 * (1 - 1 / (0.55 * 44 / 10 + 1))
    let state = try #require(host.state(of: "position"))
    #expect(abs(state.value[0] - expected) < 1e-12 && state.value[1] == 32)
    #expect(abs(state.velocity[0] - 64 * 0.55 / (3.42 * 3.42)) < 1e-12 && state.velocity[1] == 32)
  }

  @Test func pinchScalesAndRotateTurnsWhileTwoFingersAreDown() throws {
    let host = try gestureHost(["scale": PropertyState(3), "rotation": PropertyState(-1)])
    try host.add(.pinchable())
    try host.add(.rotatable())
    for _ in 0..<16 { host.advance(by: dt) }
    #expect(host.tokens.isEmpty)
    for _ in 0..<16 { host.advance(by: dt) }
    #expect(host.tokens == ["pinch", "rotate"])
    #expect(host.advance(by: dt, untilIdleWithin: 100))
    #expect(abs((host.state(of: "scale")?.value[0] ?? 0) - 6) < 1e-12)
    #expect(abs((host.state(of: "rotation")?.value[0] ?? 0) - (.pi / 2 - 1)) < 1e-12)
    #expect(host.time == 48 * dt)
    #expect((host.state(of: "scale")?.velocity[0] ?? 0) > 0)
  }

  @Test func aTurnGoesOnBeyondHalfATurn() throws {
    // From just above the negative x axis to just below it, which is a small turn, and not one back all the way round.
    let trace = try PointerTrace([
      .init(time: 0, pointer: 1, phase: .down, location: [0, 0]),
      .init(time: 0, pointer: 2, phase: .down, location: [-10, 1]),
      .init(time: 1, pointer: 2, phase: .move, location: [-10, -1]),
      .init(time: 2, pointer: 2, phase: .up, location: [-10, -1]),
      .init(time: 2, pointer: 1, phase: .up, location: [0, 0]),
    ])
    let host = RecordingExecutorHost(GestureReplayExecutor.declaration(replaying: trace))
    try host.add(.rotatable())
    host.advance(by: dt, untilIdleWithin: 200)
    #expect(abs((host.state(of: "rotation")?.value[0] ?? 0) - 0.199337) < 1e-6)
  }

  @Test func oneExecutorServesAllThree() throws {
    let host = try gestureHost()
    try host.add(.draggable(slop: 0), named: "drag")
    try host.add(.pinchable(), named: "pinch")
    try host.add(.rotatable())
    for _ in 0..<32 { host.advance(by: dt) }
    #expect(host.tokens == ["drag", "pinch", "rotate"])
    host.remove(named: "pinch")
    #expect(host.tokens == ["drag", "rotate"])
    let written = host.writes(of: "scale").count
    #expect(host.advance(by: dt, untilIdleWithin: 100))
    #expect(host.writes(of: "scale").count == written)
  }

  @Test func laterGestureOnAPropertyTakesItsPlace() throws {
    let host = RecordingExecutorHost(GestureReplayExecutor.declaration(replaying: try oneFinger()))
    try host.add(.draggable(slop: 0))
    for _ in 0..<32 { host.advance(by: dt) }
    try host.add(.draggable(slop: 0))
    #expect(host.tokens.isEmpty)
    host.advance(by: dt)
    #expect(host.tokens == ["drag"])
    #expect(host.state(of: "position")?.value == [33, 16.5])
  }

  @Test func gesturesOnOtherPropertiesHaveTokensOfTheirOwn() throws {
    let host = RecordingExecutorHost(
      GestureReplayExecutor.declaration(replaying: try oneFinger()),
      properties: ["translation": PropertyState([0, 0])])
    try host.add(.draggable(slop: 0))
    try host.add(.draggable("translation", slop: 0))
    host.advance(by: dt)
    #expect(host.tokens == ["drag", "drag.translation"])
  }

  @Test func aTouchThatIsOverIsNotReplayedAfterARestart() throws {
    let host = try gestureHost()
    for _ in 0..<65 { host.advance(by: dt) }
    try host.add(
      PlannedIntention(
        identity: .init(sequence: 1, operation: 0), intention: .draggable(slop: 0), startFrame: 1, startTime: 0,
        starts: [.init("position", handle: PropertyHandle(1), state: PropertyState([0, 0]))]))
    host.advance(by: dt)
    #expect(host.reports.isEmpty && !host.isActive)
  }

  @Test func aTouchShorterThanAFrameIsStillOne() throws {
    let host = RecordingExecutorHost(GestureReplayExecutor.declaration(replaying: try oneFinger()))
    try host.add(.draggable(slop: 0))
    host.advance(by: 10)
    #expect(host.state(of: "position")?.value == [64, 32])
    #expect(host.reports.count == 3 && !host.isActive)
  }

  @Test func refusesPropertiesOfOtherLanes() throws {
    let host = try gestureHost(["level": PropertyState(0)])
    #expect(throws: Refusal.self) { try host.add(.draggable("level")) }
    #expect(throws: Refusal.self) { try host.add(.rotatable("position")) }
  }

  @Test func gesturesKeepTheContract() throws {
    let trace = try touch()
    let conformance = ExecutorConformance(
      plans: [
        .draggable(slop: 0), .draggable(axis: .x, slop: 0), .draggable("translation", slop: 0),
        .draggable(perimeter: [-10, -10, 40, 30], slop: 0),
      ],
      refused: [.draggable("level"), .draggable(perimeter: [0, 0, 1])]
    ) {
      RecordingExecutorHost(
        GestureReplayExecutor.declaration(replaying: trace),
        properties: ["level": PropertyState(0), "translation": PropertyState([3, 4])])
    }
    // A band answers elsewhere than it was asked, so that it does not go on from a place outside.
    let violations = conformance.violations().filter {
      $0.rule != .resumesFromState || $0.plan["perimeter"] == nil
    }
    #expect(violations == [])
    let later = ExecutorConformance(plans: [.pinchable(), .rotatable()], disturbance: 160) {
      RecordingExecutorHost(
        GestureReplayExecutor.declaration(replaying: trace), properties: ["scale": PropertyState([2, 3])])
    }
    #expect(later.violations() == [])
  }
}
