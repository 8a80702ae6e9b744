import MotionExecutors
import MotionModel
import Testing
import Trajectories

@testable import MotionCore

/// A move interrupts every other way to move, and is interrupted by each, without a jump.
struct MoveHandOverTests {
  private static let rate = 120.0
  private static let (maxVelocity, maxAcceleration, maxJerk) = (900.0, 6_000.0, 60_000.0)

  private static func move(to destination: Lanes) -> Intention {
    .moveTo(
      "position", destination, maxVelocity: maxVelocity, maxAcceleration: maxAcceleration, maxJerk: maxJerk)
  }

  private func runtime() throws -> Runtime {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    try registry.register(ExecutorDeclaration(GestureExecutor.self))
    return Runtime(registry: registry, ratePerSecond: Self.rate)
  }

  private func commit(_ intention: Intention, to runtime: Runtime) throws {
    var transaction = Transaction()
    transaction.add(intention, to: "ball")
    try runtime.commit(transaction)
  }

  private func touch(_ phase: PointerEvent.Phase, at x: Double, _ runtime: Runtime) throws {
    let event = PointerEvent(id: 1, phase, at: [x, 0], time: runtime.frame.time + 1 / Self.rate)
    try runtime.submit(PointerInput("ball", from: "hand", [event]))
  }

  private func state(_ runtime: Runtime) -> PropertyState {
    runtime.state(of: "position", on: "ball") ?? PropertyState([0, 0])
  }

  /// Begins a way to move, with a hand that moves at 600 a second where it needs one.
  private func begin(_ way: Way, to destination: Lanes, frames: Int, _ runtime: Runtime) throws {
    if way == .friction {
      try commit(.springTo("position", [0, 0], initialVelocity: [400, 0]), to: runtime)
    }
    try commit(way.intention(to: destination), to: runtime)
    runtime.advance()
    guard way.needsHand else { return (1..<frames).forEach { _ in runtime.advance() } }
    let place = state(runtime).value[0]
    try touch(.down, at: 0, runtime)
    for frame in 1..<max(frames, 8) {
      runtime.advance()
      try touch(.move, at: Double(frame) * 5, runtime)
    }
    runtime.advance()
    try touch(.up, at: Double(max(frames, 8)) * 5, runtime)
    runtime.advance()
    #expect(state(runtime).value[0] != place)
  }

  // Clauses: S9.28, S10.15
  @Test(arguments: Way.allCases, [3, 10, 25]) func `a move continues every way to move`(
    _ way: Way, _ frames: Int
  ) throws {
    let runtime = try runtime()
    try begin(way, to: [100, 40], frames: frames, runtime)
    var last = state(runtime)
    try commit(Self.move(to: [-20, 10]), to: runtime)
    let dt = 1 / Self.rate
    var moved = 0.0
    for frame in 0..<200 {
      runtime.advance()
      let now = state(runtime)
      for lane in 0..<2 {
        // A braking from above the limits keeps the acceleration's limit, and the velocity changes by no more.
        #expect(
          abs(now.velocity[lane] - last.velocity[lane]) <= Self.maxAcceleration * dt * (1 + 1e-9) + 1e-9,
          "frame \(frame)")
        let way = (last.velocity[lane] + now.velocity[lane]) * dt / 2
        // The error of the trapezoid rule under a bounded second derivative of the velocity; and the corners.
        #expect(abs(now.value[lane] - last.value[lane] - way) <= Self.maxJerk * dt * dt * dt + 1e-9, "frame \(frame)")
        moved = max(moved, abs(now.velocity[lane]))
      }
      last = now
      if runtime.plans.intentions.map(\.value).allSatisfy({ $0.intention.type != "MoveTo" }) { break }
    }
    #expect(moved > 50)
  }

  // Clauses: S9.28, S10.15
  @Test(arguments: Way.allCases.filter { !$0.needsHand && $0 != .tweenWithoutCarry }, [8, 12, 20])
  func `every way to move continues a move`(_ way: Way, _ frames: Int) throws {
    let runtime = try runtime()
    try commit(Self.move(to: [100, 40]), to: runtime)
    for _ in 0..<frames { runtime.advance() }
    let before = state(runtime)
    #expect(before.velocity[0] > 50)
    try commit(way.intention(to: [-20, 10]), to: runtime)
    runtime.advance()
    let after = state(runtime)
    let dt = 1 / Self.rate
    for lane in 0..<2 {
      // The strongest force here: 342 · 120 away, and 30 times the velocity.
      let strongest = (342 * 140 + 40 * abs(before.velocity[lane])) * 1.5
      #expect(abs(after.velocity[lane] - before.velocity[lane]) <= strongest * dt)
      let mean = (before.velocity[lane] + after.velocity[lane]) / 2
      #expect(abs(after.value[lane] - before.value[lane] - mean * dt) <= strongest * dt * dt / 4)
    }
    #expect(runtime.plans.intentions.map(\.value).allSatisfy { $0.intention.type != "MoveTo" })
  }

  // Clauses: S9.28
  @Test func `a hand takes a property from a move, which ends`() throws {
    let runtime = try runtime()
    try commit(.draggable(slop: 0), to: runtime)
    try commit(Self.move(to: [100, 40]), to: runtime)
    for _ in 0..<8 { runtime.advance() }
    let before = state(runtime)
    try touch(.down, at: 0, runtime)
    runtime.advance()
    #expect(abs(state(runtime).value[0] - before.value[0]) < 0.02 * 100)
    #expect(runtime.plans.intentions.map(\.value).allSatisfy { $0.intention.type != "MoveTo" })
    // A move that is added meanwhile begins with the velocity of the hand.
    try commit(Self.move(to: [0, 0]), to: runtime)
    for frame in 1...10 {
      try touch(.move, at: Double(frame) * 4, runtime)
      runtime.advance()
    }
    let held = state(runtime)
    try touch(.up, at: 44, runtime)
    runtime.advance()
    runtime.advance()
    #expect(abs(state(runtime).velocity[0] - held.velocity[0]) < Self.maxAcceleration / Self.rate * 3)
    runtime.advanceUntilRest()
    #expect(state(runtime) == PropertyState([0, 0]))
  }
}
