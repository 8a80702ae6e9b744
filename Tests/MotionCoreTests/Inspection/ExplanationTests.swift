import MotionCore
import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Why a property has its value.
struct ExplanationTests {
  private static func provenance(_ name: String, _ comment: String = "") -> Provenance {
    Provenance(Committer(name: name, user: 1000, process: 4711), wallTime: 1, comment: comment)
  }

  private func why(_ scene: Scene, _ property: PropertyName = "x") throws -> Explanation {
    try why(scene.runtime, PropertyReference("ball", property))
  }

  private func why(_ runtime: Runtime, _ reference: PropertyReference) throws -> Explanation {
    guard case .why(let explanation)? = try runtime.answer(.why(reference)) else {
      throw Refusal(.notFound, "no explanation")
    }
    return explanation
  }

  private func commit(_ scene: Scene, _ intention: Intention, by name: String) throws -> IntentionIdentity {
    let log: [Transaction.Operation] = [.add(intention, named: nil, to: "ball")]
    let provenance = Self.provenance(name)
    let receipt = scene.runtime.apply(try scene.runtime.accept(Transaction(log: log), at: nil, by: provenance))
    return IntentionIdentity(sequence: receipt.sequence, operation: 0)
  }

  // Clauses: S8.51
  @Test func `it names the driver, since when, its client, and what waits below and was before`() throws {
    let scene = try Scene()
    let home = try commit(scene, .anchoredSpring("x", 10), by: "show")
    scene.advance(5)
    var now = try why(scene)
    #expect(now.plan?.identity == home && now.since == 0 && now.began == 0 && now.former == nil)
    #expect(now.plan?.provenance == Self.provenance("show") && now.waiting.isEmpty && now.lateness == nil)
    let move = try commit(
      scene, Intention.moveTo("x", 3, maxVelocity: 10, maxAcceleration: 100, maxJerk: 1000), by: "desk")
    scene.advance(3)
    now = try why(scene)
    #expect(now.plan?.identity == move && abs((now.since ?? 0) - 0.05) < 1e-9)
    #expect(now.plan?.provenance == Self.provenance("desk"))
    #expect(now.waiting.map(\.identity) == [home] && now.waiting.map(\.provenance) == [Self.provenance("show")])
    let former = try #require(now.former)
    #expect(former.identity == home && former.end == .displaced && former.time == now.since)
    #expect(former.provenance == Self.provenance("show") && former.type == "AnchoredSpring")
    scene.advance(2000)
    now = try why(scene)
    #expect(now.plan?.identity == home && now.former?.identity == move && now.former?.end == .completed)
    #expect(now.waiting.isEmpty && now.since == now.former?.time)
    try scene.forget()
    scene.advance()
    #expect(throws: Refusal.self) { try why(scene) }
  }

  // Clauses: S8.51, S8.52
  @Test func `a plan that a composition emitted names its ancestors, and has their client`() throws {
    let scene = try Scene()
    let toss = try commit(scene, .tossable(destination: [100, 0], slop: 4), by: "desk")
    scene.advance(2)
    let now = try why(scene, "position")
    #expect(now.plan?.identity.parent == toss && now.plan?.provenance == Self.provenance("desk"))
    #expect(now.ancestors.map(\.identity) == [toss] && now.ancestors.map(\.intention.type) == ["Tossable"])
  }

  // Clauses: S8.51
  @Test func `a plan that ended, failed or was removed is the one before`() throws {
    let scene = try Scene()
    let first = try scene.add(.springTo("x", 1), named: "a")
    scene.advance()
    let second = try scene.add(.springTo("x", 5), named: "a")
    scene.advance()
    var now = try why(scene)
    #expect(now.plan?.identity == second && now.former?.identity == first && now.former?.end == .removed)
    try scene.remove("a")
    scene.advance()
    now = try why(scene)
    #expect(now.plan == nil && now.since == nil && now.former?.identity == second && now.former?.end == .removed)
    #expect(now.former?.name == "a" && now.former?.stopper == nil)
    let third = try scene.add(.springTo("x", 9), named: "a")
    scene.advance()
    var stop = StopRequest(["ball"])
    stop.by = Committer(name: "panel", user: 7, process: 1)
    scene.runtime.applyNow(.stop(stop))
    now = try why(scene)
    #expect(now.former?.identity == third && now.former?.end == .stopped && now.former?.stopper == stop.by)
    let copy = try Scene()
    try copy.runtime.restore(try #require(scene.runtime.snapshot()))
    #expect(try why(copy).former == now.former)
    try scene.add(.springTo("x", 2))
    scene.advance()
    try scene.add(.springTo("x", 3))
    scene.advance()
    #expect(try why(scene).former?.end == .displaced && why(scene).former?.stopper == nil)
  }

  // Clauses: S8.51
  @Test func `forces move a property together, and a higher priority keeps the others waiting`() throws {
    let scene = try Scene()
    let spring = try scene.add(.anchoredSpring("x", 10))
    let wind = try scene.add(
      Intention("ConstantForce", [.init("property", .property("x")), .init("acceleration", .number(5))]))
    scene.advance()
    var now = try why(scene)
    #expect(now.plan?.identity == wind && now.together.map(\.identity) == [spring] && now.waiting.isEmpty)
    let important = try scene.add(.anchoredSpring("x", 0).priority(5))
    let later = try scene.add(.anchoredSpring("x", 3))
    scene.advance()
    now = try why(scene)
    #expect(now.plan?.identity == important && now.together.isEmpty)
    #expect(now.waiting.map(\.identity) == [wind, spring, later] && now.waiting.map(\.state).last == .waiting)
  }

  // Clauses: S8.51
  @Test func `a lost worker, a late driver and the fade of its return are stated`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1000))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 10, velocity: 400, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    var now = try why(scene)
    #expect(now.worker == Explanation.WorkerFact(WorkerAddress("tween", 0), isServing: true))
    #expect(now.lateness == nil && now.fading == nil && now.mover == nil)
    worker.lose()
    scene.advance(3)
    now = try why(scene)
    #expect(now.worker?.isServing == false && now.plan?.intention.type == "Tween")
    guard case .silent(let since)? = now.lateness else {
      Issue.record("\(String(describing: now.lateness))")
      return
    }
    #expect(abs(since - 0.02) < 1e-9)
    worker.provision()
    try worker.write(1, 54, velocity: 400)
    worker.send()
    scene.advance()
    now = try why(scene)
    #expect(now.lateness == .catchingUp && now.worker?.isServing == true)
    #expect(now.fading ?? 0 > 0.1)
  }

  // Clauses: S8.51
  @Test func `the limits that hold a property back are named`() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.limit("x", of: "ball", PropertyLimits(velocity: [1]))
    transaction.add(.anchoredSpring("x", 10), to: "ball")
    try scene.runtime.commit(transaction)
    scene.advance(20)
    let now = try why(scene)
    #expect(now.restraints == [.velocity] && now.property.demand != nil && now.property.limits != nil)
    scene.advance(2000)
    #expect(try why(scene).restraints.isEmpty)
  }

  // Clauses: S8.51
  @Test func `after a restart it is not known since when a plan drives, and it is still known whose it is`() throws {
    let scene = try Scene()
    let home = try commit(scene, .anchoredSpring("x", 10), by: "show")
    scene.advance(5)
    let next = try Scene()
    next.runtime.restore(scene.runtime.checkpoint())
    next.runtime.endRecovery()
    next.runtime.advance()
    let now = try why(next)
    #expect(now.plan?.identity == home && now.plan?.provenance == Self.provenance("show") && now.since == nil)
    #expect(now.began == 0)
  }

  // Clauses: S8.51
  @Test func `the replay of a recording has the same explanations in every frame`() throws {
    let seed = TestSeed.value
    for seed in seed..<seed + 4 {
      let chaos = try Chaos(seed: seed)
      let log = TraceLog(chaos.runtime)
      chaos.runtime.computesHashes = true
      let replayer = try Replayer(RecordingHeader(ratePerSecond: 100, plugins: [.tween(instances: 2), .gesture]))
      var compared = 0
      for _ in 0..<300 {
        try chaos.happen()
        chaos.runtime.advance(by: chaos.pick([0.01, 0.005, 0.1]))
        for frame in log.takeFrames() { #expect(try replayer.replay(frame) == nil) }
        for property in chaos.runtime.currentProperties {
          compared += 1
          let (was, replayed) = (
            try why(chaos.runtime, property.reference), try why(replayer.runtime, property.reference)
          )
          #expect(was == replayed, "seed \(seed), frame \(was.frame), \(property.reference)")
        }
      }
      #expect(compared > 300)
    }
  }

  @Test func `former plans are bounded in number and in a frame`() {
    var former = FormerPlans()
    func entry(_ number: Int) -> FormerPlans.Entry {
      FormerPlans.Entry(
        identity: IntentionIdentity(sequence: UInt64(number), operation: 0), type: "SpringTo", name: nil,
        provenance: nil, end: .completed, time: 0, stopper: nil)
    }
    for slot in 0..<FormerPlans.perFrame {
      let hasRoom = former.hasRoom(in: 1)
      #expect(hasRoom)
      former.note(entry(slot), of: slot)
    }
    let (isOpen, isOpenLater) = (former.hasRoom(in: 1), former.hasRoom(in: 2))
    #expect(!isOpen && isOpenLater)
    for slot in FormerPlans.perFrame..<FormerPlans.kept + 10 { former.note(entry(slot), of: slot) }
    #expect(former[0] == nil && former[9] == nil)
    #expect(former[10]?.identity.sequence == 10 && former[FormerPlans.kept + 9]?.identity.sequence != nil)
    former.forget(10)
    #expect(former[10] == nil)
  }
}
