import MotionCore
import MotionModel
import MotionTestKit
import Testing

/// Where a property goes when the worker that moves it is lost.
struct LossRuleTests {
  /// A worker moves `x` at 400/s, from 10 on; its first sample is applied.
  private func moving(_ limits: PropertyLimits) throws -> (Scene, FakeWorker) {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try limit(scene, limits)
    try scene.add(.tween("x", to: 1000))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 10, velocity: 400, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    return (scene, worker)
  }

  private func limit(_ scene: Scene, _ limits: PropertyLimits) throws {
    var transaction = Transaction()
    transaction.limit("x", of: "ball", limits)
    try scene.runtime.commit(transaction)
  }

  /// The states of the next frames.
  private func states(_ scene: Scene, _ frames: Int) -> [PropertyState] {
    (0..<frames).map { _ in
      scene.advance()
      return PropertyState(Lanes(scene.value()), velocity: Lanes(scene.velocity()))
    }
  }

  private func expectContinuous(_ states: [PropertyState], from first: PropertyState) {
    for (one, next) in zip([first] + states, states) {
      let way = max(abs(one.velocity[0]), abs(next.velocity[0])) * 0.01
      #expect(abs(next.value[0] - one.value[0]) <= way + 1e-9, "\(one) \(next)")
    }
  }

  // Clauses: S19.16
  @Test(arguments: [LossRule.rest(-5), .ramp(-5, in: 0.5)])
  func `a property goes to its place when its worker is lost`(rule: LossRule) throws {
    let (scene, worker) = try moving(PropertyLimits(onLost: rule))
    #expect(scene.value() == 10 && scene.velocity() == 400)
    worker.lose()
    let seconds = rule == .rest(-5) ? 0.15 : 0.5
    let states = states(scene, 60)
    expectContinuous(states, from: PropertyState(10, velocity: 400))
    let arrived = try #require(states.firstIndex { $0 == PropertyState(-5) })
    #expect(abs(Double(arrived + 1) * 0.01 - seconds) < 0.011)
    #expect(states[arrived...].allSatisfy { $0 == PropertyState(-5) })
    #expect(scene.runtime.isActive, "its plan is owed")
    // The successor continues from there.
    worker.provision()
    try worker.write(1, 300, velocity: 400)
    worker.send()
    scene.advance()
    #expect(scene.value() == -5)
    try worker.write(1, 304, velocity: 400)
    worker.send()
    scene.advance()
    #expect(scene.value() > -5 && scene.value() < 200)
  }

  // Clauses: S19.16
  @Test func `with hold and without a rule it stays`() throws {
    for limits in [PropertyLimits(onLost: .hold), PropertyLimits(range: .init(-1000, 1000))] {
      let (scene, worker) = try moving(limits)
      worker.lose()
      #expect(states(scene, 10).map { $0.velocity[0] }.prefix(4) == [300, 200, 100, 0])
      #expect(scene.value() == 18)
    }
  }

  // Clauses: S19.16, S19.4
  @Test func `under limits it goes there as they permit`() throws {
    let limits = PropertyLimits(range: .init(-50, 50), velocity: 500, acceleration: 4000, onLost: .rest([-20]))
    let (scene, worker) = try moving(limits)
    worker.lose()
    let states = states(scene, 100)
    for (one, next) in zip(states, states.dropFirst()) {
      #expect(abs(next.velocity[0] - one.velocity[0]) <= 40 + 1e-9 && abs(next.velocity[0]) <= 500)
      #expect((-50...50).contains(next.value[0]))
    }
    #expect(states.last == PropertyState(-20))
  }

  /// A worker that is replaced, or back by the next frame, was not missed.
  // Clauses: S19.16
  @Test func `a worker that is back at once lets nothing move`() throws {
    let (scene, worker) = try moving(PropertyLimits(onLost: .rest(-5)))
    worker.lose()
    worker.provision()
    #expect(states(scene, 4).map { $0.velocity[0] } == [300, 200, 100, 0])
  }

  // Clauses: S19.16
  @Test func `another driver takes over on the way`() throws {
    let (scene, worker) = try moving(PropertyLimits(onLost: .ramp(-5, in: 1)))
    worker.lose()
    let before = try #require(states(scene, 20).last)
    try scene.add(.springTo("x", 100))
    let after = states(scene, 300)
    expectContinuous(Array(after.prefix(20)), from: before)
    #expect(after.last == PropertyState(100))
  }

  /// Its one-shots fail, and it goes on to its place.
  // Clauses: S19.16
  @Test func `the end of its plan leaves it on its way`() throws {
    let (scene, worker) = try moving(PropertyLimits(onLost: .ramp(-5, in: 0.5)))
    worker.lose()
    _ = states(scene, 10)
    scene.runtime.applyNow(.quarantined("tween", reason: "it fails"))
    #expect(scene.runtime.counts.intentions == 0)
    #expect(states(scene, 60).last == PropertyState(-5))
    let (other, gone) = try moving(PropertyLimits(onLost: .ramp(-5, in: 0.5)))
    gone.lose()
    _ = states(other, 10)
    other.runtime.applyNow(.stop([]))
    let stopped = other.value()
    #expect(states(other, 60).last?.value[0] == stopped && stopped != -5, "a stop stops it")
  }

  // Clauses: S19.16
  @Test(arguments: [1, 20, 80])
  func `a restart counts as the loss of every worker`(frames: Int) throws {
    let (scene, worker) = try moving(PropertyLimits(onLost: .ramp(-5, in: 0.5)))
    if frames > 1 { worker.lose() }
    let before = states(scene, frames).last ?? PropertyState(0)
    let next = try Scene()
    next.runtime.restore(scene.runtime.checkpoint())
    #expect(next.runtime.wantsFrames || before == PropertyState(-5))
    let after = states(next, 100)
    if frames > 1 { expectContinuous(after, from: before) }
    #expect(after.last == PropertyState(-5))
    // The plugin is gone, and the plan fails.
    let bare = Runtime(ratePerSecond: 100)
    bare.restore(scene.runtime.checkpoint())
    bare.endRecovery()
    #expect(bare.failures.count == 1)
    let alone = (0..<100).compactMap { _ in
      bare.advance()
      return bare.state(of: "x", on: "ball")
    }
    if frames > 1 { expectContinuous(alone, from: before) }
    #expect(alone.last == PropertyState(-5))
    // A plan that never began has moved nothing.
    let unbegun = try Scene()
    try limit(unbegun, PropertyLimits(onLost: .rest(-5)))
    try unbegun.add(.tween("x", to: 1000))
    unbegun.advance()
    let later = try Scene()
    later.runtime.restore(unbegun.runtime.checkpoint())
    #expect(states(later, 100).last == PropertyState(0))
  }

  // Clauses: S19.16
  @Test func `rules are read as they are written`() throws {
    let rules: [(String, LossRule)] = [
      ("hold", .hold), ("rest 0", .rest(0)), ("rest 0,1.5", .rest([0, 1.5])), ("ramp -1 in 2s", .ramp(-1, in: 2)),
      ("ramp 1,2,3,4 in 250ms", .ramp([1, 2, 3, 4], in: 0.25)), ("ramp 0 in 10us", .ramp(0, in: 1e-5)),
    ]
    for (text, rule) in rules {
      #expect(try LossRule(text) == rule)
      #expect(rule.description == text)
    }
    #expect(try LossRule("ramp 0 in 2") == .ramp(0, in: 2))
    for wrong in [
      "", "stay", "rest", "rest a", "rest 1,2,3,4,5", "rest 0 in 2s", "ramp 0", "ramp 0 in", "ramp 0 at 2s",
      "ramp 0 in x",
    ] {
      #expect(throws: Refusal.self) { try LossRule(wrong) }
    }
  }

  // Clauses: S19.3, S19.16
  @Test(arguments: [
    PropertyLimits(onLost: .rest(1e101)), PropertyLimits(onLost: .ramp(0, in: -1)),
    PropertyLimits(onLost: .ramp(0, in: 1e9)), PropertyLimits(onLost: .ramp(0, in: .nan)),
    PropertyLimits(range: .init(-1, 1), onLost: .rest(2)), PropertyLimits(velocity: [1, 2], onLost: .rest([0, 0, 0])),
    PropertyLimits(range: .init([0, 0], [1, 1]), onLost: .rest([0, 2])),
  ])
  func `a rule that cannot hold is refused with its field`(limits: PropertyLimits) throws {
    let scene = try Scene()
    let refusal = #expect(throws: Refusal.self) { try limit(scene, limits) }
    #expect(refusal?.field == "onLost")
  }
}
