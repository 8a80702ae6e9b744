import MotionModel
import MotionPhysics
import MotionTestKit
import Testing

@testable import MotionCore

/// `stop --ramp`.
struct StopRampTests {
  private let ramp = StopRequest(ramp: true)

  /// A property in mid-move at these limits.
  private func scene(_ limits: PropertyLimits? = nil, lanes: Lanes = [100, -40]) throws -> Scene {
    let scene = try Scene()
    if let limits {
      var transaction = Transaction()
      transaction.limit("x", of: "ball", limits)
      try scene.runtime.commit(transaction)
    }
    try scene.add(.springTo("x", lanes))
    scene.advance(10)
    return scene
  }

  private func state(_ scene: Scene) throws -> PropertyState {
    try #require(scene.runtime.state(of: "x", on: "ball"))
  }

  // Clauses: S11.27
  @Test func propertyWithoutLimitsBrakesEvenlyInHalfASecond() throws {
    let scene = try scene()
    let start = try state(scene)
    #expect(start.velocity[0] > 100)
    scene.runtime.applyNow(.stop(ramp))
    #expect(try state(scene) == start, "value and velocity are continuous")
    #expect(scene.runtime.counts.intentions == 0 && scene.runtime.wantsFrames)
    for frame in 1...50 {
      scene.advance()
      let (now, left) = (try state(scene), 1 - Double(frame) / 50)
      for lane in 0..<2 {
        #expect(abs(now.velocity[lane] - start.velocity[lane] * left) < 1e-9 * abs(start.velocity[lane]))
        let way = start.velocity[lane] * 0.25 * (1 - left * left)
        #expect(abs(now.value[lane] - start.value[lane] - way) < 1e-9 * abs(start.velocity[lane]))
      }
    }
    scene.advance()
    #expect(try state(scene).velocity == [0, 0])
    #expect(!scene.runtime.isActive && scene.runtime.movement.properties.governors.isEmpty)
    #expect(scene.ended() == [])
  }

  // Clauses: S11.27
  @Test func propertyBrakesWithinItsLimits() throws {
    let scene = try scene(PropertyLimits(velocity: 200, acceleration: 100, jerk: 1_000))
    scene.advance(50)
    let start = try state(scene)
    scene.runtime.applyNow(.stop(ramp))
    var last = start
    while scene.runtime.wantsFrames {
      scene.advance()
      let now = try state(scene)
      for lane in 0..<2 { #expect(abs(now.velocity[lane] - last.velocity[lane]) <= 1 + 1e-9) }
      last = now
    }
    #expect(last.velocity == [0, 0] && last.value[0] > start.value[0] + 10)
  }

  // Clauses: S11.27
  @Test(arguments: [1000.0, 1])
  func `a property whose limits were just lifted brakes as one without`(bound: Double) throws {
    let scene = try scene(PropertyLimits(velocity: 200, acceleration: 100))
    scene.advance(50)
    let start = try state(scene)
    var transaction = Transaction()
    transaction.limit("x", of: "ball", PropertyLimits(range: .init([-bound, -bound], [bound, bound])))
    try scene.runtime.commit(transaction)
    scene.runtime.applyNow(.stop(ramp))
    var last = start
    for _ in 1...50 {
      scene.advance()
      let now = try state(scene)
      for lane in 0..<2 {
        let change = last.velocity[lane] - now.velocity[lane]
        #expect(abs(change - start.velocity[lane] / 50) < 1e-9)
      }
      last = now
    }
    scene.advance()
    #expect(try state(scene).velocity == [0, 0])
    #expect(!scene.runtime.isActive && scene.runtime.movement.properties.governors.isEmpty)
  }

  // Clauses: S11.27
  @Test func limitOfVelocityAloneDoesNotMakeItStandAtOnce() throws {
    let scene = try scene(PropertyLimits(velocity: 50))
    scene.runtime.applyNow(.stop(ramp))
    scene.advance(25)
    #expect(abs(scene.velocity() - 25) < 1e-9)
    scene.advance(25)
    #expect(abs(scene.velocity()) < 1e-9)
    // The limits hold as before.
    try scene.add(.springTo("x", [1_000, 0]))
    scene.advance(20)
    #expect(scene.velocity() <= 50 + 1e-9)
  }

  // Clauses: S11.27
  @Test func boundOfARangeIsNotPassed() throws {
    let scene = try Scene()
    try scene.add(.springTo("opacity", 0))
    scene.advance(8)
    #expect(scene.velocity("opacity") < -2)
    scene.runtime.applyNow(.stop(ramp))
    while scene.runtime.wantsFrames {
      scene.advance()
      #expect((0...1).contains(scene.value("opacity")))
      let next = scene.runtime.successor(from: scene.runtime.checkpoint())
      #expect(next.state(of: "opacity", on: "ball") == scene.runtime.state(of: "opacity", on: "ball"))
    }
    #expect(scene.velocity("opacity") == 0)
  }

  // Clauses: S11.27
  @Test func secondStopWithARampChangesNothingAndOneWithoutStands() throws {
    let scene = try scene()
    let start = scene.velocity()
    scene.runtime.applyNow(.stop(ramp))
    scene.advance(10)
    scene.runtime.applyNow(.stop(ramp))
    scene.advance(10)
    #expect(abs(scene.velocity() - start * 0.6) < 1e-9 * start)
    scene.runtime.applyNow(.stop(["other"]))
    #expect(scene.velocity() != 0)
    scene.runtime.applyNow(.stop(["ball"]))
    let place = scene.value()
    #expect(scene.velocity() == 0 && !scene.runtime.wantsFrames)
    scene.advance(3)
    #expect(scene.value() == place)
  }

  // Clauses: S11.27
  @Test func nextPlanBeginsWithTheStateOfTheBrakingProperty() throws {
    let scene = try scene()
    scene.runtime.applyNow(.stop(ramp))
    scene.advance(10)
    let before = scene.velocity()
    try scene.add(.friction("x", coefficient: 0))
    scene.advance()
    #expect(abs(scene.velocity() - before) < 1e-9)
    #expect(scene.runtime.movement.properties.governors.isEmpty)
  }

  // Clauses: S11.27
  @Test func limitsThatAreSetAndLiftedMeanwhileHold() throws {
    let scene = try scene()
    scene.runtime.applyNow(.stop(ramp))
    scene.advance(5)
    for limits in [PropertyLimits(acceleration: 100), PropertyLimits()] {
      var transaction = Transaction()
      transaction.limit("x", of: "ball", limits)
      try scene.runtime.commit(transaction)
      for _ in 0..<20 {
        let before = scene.velocity()
        scene.advance()
        #expect(abs(scene.velocity() - before) <= 1 + 1e-9)
      }
    }
    scene.runtime.advanceUntilRest()
    #expect(scene.velocity() == 0)
  }

  // Clauses: S11.27
  @Test(arguments: [nil, PropertyLimits(velocity: 80), PropertyLimits(acceleration: 300, jerk: 4_000)])
  func brakingContinuesAfterARestart(_ limits: PropertyLimits?) throws {
    let scene = try scene(limits)
    scene.runtime.applyNow(.stop(ramp))
    scene.advance(7)
    let next = scene.runtime.successor(from: scene.runtime.checkpoint())
    for _ in 0..<200 {
      #expect(next.state(of: "x", on: "ball") == (try state(scene)))
      next.advance()
      scene.advance()
    }
    #expect(!next.wantsFrames)
  }

  // Clauses: S11.27
  @Test func propertyOfAWorkerBrakesAndLateSamplesDoNothing() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10))
    scene.advance()
    try worker.write(1, 5, velocity: 100, imposing: [.value, .velocity])
    worker.say(.activity(ExecutorHandle(1), true))
    worker.send()
    scene.advance()
    try worker.write(1, 6, velocity: 100)
    worker.send()
    scene.runtime.applyNow(.stop(ramp))
    for frame in 1...50 {
      scene.advance()
      #expect(abs(scene.velocity() - 100 * (1 - Double(frame) / 50)) < 1e-9)
      #expect(try scene.row()?.isLate == false)
      if frame < 20 {
        try worker.write(1, 50, velocity: 0)
        worker.send()
      }
    }
    #expect(abs(scene.value() - 30) < 1e-9)
    #expect(scene.runtime.refusedWrites == 0)
  }

  /// Whatever happens before, and whatever drives a property: a stop with a ramp changes no value and no velocity, and
  /// then no frame makes a property without a driver faster.
  // Clauses: S11.27
  @Test func nothingJumpsAtAStopWithARamp() throws {
    let seed = TestSeed.value
    var stops = 0
    for seed in seed..<seed + UInt64(SeededRandom.rounds(10)) {
      let chaos = try Chaos(seed: seed)
      for _ in 0..<500 {
        try chaos.happen()
        chaos.runtime.advance()
        guard chaos.chance(0.05) else { continue }
        // What waits for the next frame may set limits.
        chaos.runtime.advance()
        let before = Self.states(chaos.runtime)
        chaos.runtime.applyNow(.stop(ramp))
        #expect(Self.states(chaos.runtime) == before, "seed \(seed), frame \(chaos.runtime.frame.number)")
        stops += before.values.count { $0.velocity.storage != .zero }
        var last = before
        for _ in 0..<Int(chaos.chance(0.5) ? 80 : 3) {
          chaos.runtime.advance()
          let now = Self.states(chaos.runtime)
          for (name, state) in now {
            guard let former = last[name] else { continue }
            let hasJerk = Self.hasJerk(name, in: chaos.runtime)
            #expect(
              hasJerk || abs(state.velocity[0]) <= abs(former.velocity[0]),
              "seed \(seed), \(name): \(former) to \(state)")
            #expect(
              hasJerk || abs(state.value[0] - former.value[0]) <= abs(former.velocity[0]) * 0.01 + 1e-9,
              "seed \(seed), \(name): \(former) to \(state)")
          }
          last = now
        }
      }
    }
    #expect(stops > 100, "properties moved: \(stops)")
  }

  /// Whether a limit of jerk holds for a property: one that was lifted while it brakes does until it stands.
  private static func hasJerk(_ name: PropertyReference, in runtime: Runtime) -> Bool {
    let governors = runtime.movement.properties.governors
    guard let slot = runtime.plans.find(name), let index = governors.index(of: slot), let row = governors.rows[index]
    else { return false }
    return governors.lanes[row.first..<row.first + row.lanes].contains { $0.limits.motion.maxJerk.isFinite }
  }

  private static func states(_ runtime: Runtime) -> [PropertyReference: PropertyState] {
    Dictionary(uniqueKeysWithValues: runtime.allProperties.map { ($0.reference, $0.state) })
  }
}
