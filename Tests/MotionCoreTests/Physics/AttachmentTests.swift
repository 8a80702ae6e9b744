import MotionCore
import MotionModel
import MotionPhysics
import Testing

/// Springs whose anchors follow other properties.
struct AttachmentTests {
  private let runtime = Runtime(ratePerSecond: 100)
  private let leader = PropertyReference("leader", "x")

  private func add(_ intention: Intention, named name: IntentionName? = nil, to target: TargetName = "ball") throws {
    var transaction = Transaction()
    if let name { transaction.add(intention, named: name, to: target) } else { transaction.add(intention, to: target) }
    try runtime.commit(transaction)
  }

  private func forget(_ target: TargetName) throws {
    var transaction = Transaction()
    transaction.forget(target)
    try runtime.commit(transaction)
  }

  private var ball: PropertyState? { runtime.state(of: "x", on: "ball") }

  // Clauses: S7.18
  @Test func `a follower follows its leader one frame behind, and rests where it rests`() throws {
    try add(.attachWithSpring("x", to: leader, .physical(tension: 200, friction: 20)))
    runtime.advance()
    #expect(ball?.value == Lanes(0), "nobody to follow yet")
    try add(.springTo("x", 100), to: "leader")
    runtime.advance()
    #expect(ball?.value == Lanes(0), "one frame behind")
    let seen = try #require(runtime.state(of: leader)).value[0]
    runtime.advance()
    let step = LinearStep(tension: 200, friction: 20, dt: 0.01)
    let expected = seen + step.advance(displacement: SIMD4(repeating: -seen), velocity: .zero).displacement[0]
    #expect(abs((ball?.value[0] ?? .nan) - expected) < 1e-12)
    runtime.advanceUntilRest()
    #expect(runtime.state(of: leader)?.value == Lanes(100))
    #expect(ball?.value == Lanes(100) && ball?.velocity == Lanes(0))
    #expect(!runtime.isActive)
  }

  // Clauses: S7.18
  @Test(arguments: [0.5, 5, 50]) func `a follower of a steady leader has its velocity, however slow that is`(
    _ speed: Double
  ) throws {
    try add(.moveTo("x", [Double(1000) * speed], maxVelocity: speed, maxAcceleration: 1e4, maxJerk: 1e6), to: "leader")
    try add(.attachWithSpring("x", to: leader))
    for _ in 0..<300 { runtime.advance() }
    for _ in 0..<100 {
      let before = try #require(ball)
      runtime.advance()
      let now = try #require(ball)
      // Its leader stands in each frame, as it sees it: at their ends it is a little slower.
      #expect(abs(now.velocity[0] - speed) < 5e-3 * speed, "\(now) after \(before)")
      #expect(abs(now.value[0] - before.value[0] - speed / 100) < 1e-5 * speed)
    }
  }

  @Test func `an existing leader is followed from the first frame`() throws {
    try add(.springTo("x", 100), to: "leader")
    runtime.advanceUntilRest()
    try add(.attachWithSpring("x", to: leader))
    runtime.advance()
    #expect(ball?.value[0] ?? 0 > 0)
    runtime.advanceUntilRest()
    #expect(ball?.value == Lanes(100))
  }

  // Clauses: S7.18
  @Test func `a follower without its leader stays at the leader's last position`() throws {
    try add(.attachWithSpring("x", to: leader))
    try add(.springTo("x", 100), to: "leader")
    runtime.advanceUntilRest()
    try forget("leader")
    runtime.advanceUntilRest()
    #expect(ball?.value == Lanes(100))
    try add(.springTo("x", 40), to: "leader")
    runtime.advanceUntilRest()
    #expect(ball?.value == Lanes(40), "and follows the next of that name")
  }

  @Test func `an attachment adds up with other forces`() throws {
    try add(.attachWithSpring("x", to: leader, .physical(tension: 100, friction: 20)))
    try add(.anchoredSpring("x", 0, .physical(tension: 100, friction: 20)))
    try add(.springTo("x", 100), to: "leader")
    runtime.advanceUntilRest()
    #expect(abs((ball?.value[0] ?? .nan) - 50) < 1e-9)
  }

  @Test func `a displaced follower follows again when it drives its property again`() throws {
    let scene = try Scene()
    try scene.add(.attachWithSpring("x", to: leader), named: "tie")
    try scene.add(.stay("x"), named: "stay")
    try scene.add(.springTo("x", 100), to: "leader")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 0)
    try scene.remove("stay")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 100)
    try scene.remove("tie")
    try scene.add(.springTo("x", 0), to: "leader")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 100, "tied no more")
  }

  @Test(arguments: [
    (PropertyReference("ball", "x"), "follow itself"), (PropertyReference("leader", "position"), "has 1 lane"),
    (PropertyReference("leader", "wide"), "differ in their lanes"),
  ])
  func `a property that cannot be followed is refused`(reference: PropertyReference, message: String) throws {
    try add(.springTo("wide", [1, 1]), to: "leader")
    try add(.springTo("x", 0))
    runtime.advanceUntilRest()
    let refusal = try #require(throws: Refusal.self) { try add(.attachWithSpring("x", to: reference)) }
    #expect(refusal.message.contains(message) && refusal.field == "to", "\(refusal)")
  }

  @Test func `a leader that is created later with other lanes is reported`() throws {
    runtime.log.keeps = .endings
    var transaction = Transaction()
    transaction.add(.springTo("x", 0), to: "ball")
    transaction.add(.springTo("wide", [1, 1]), to: "leader")
    transaction.add(.attachWithSpring("x", to: PropertyReference("leader", "wide")), to: "ball")
    try runtime.commit(transaction)
    runtime.advance()
    let ended = runtime.log.takeEnded()
    let failed = ended.first { $0.outcome == .failed }
    #expect(failed?.reason.contains("differ in their lanes") == true, "\(ended)")
  }

  @Test func `the typed intention equals the one that it was read from`() throws {
    let ties = [
      AttachWithSpringIntention("x", to: .property(leader), .perceived(duration: .milliseconds(250), bounce: 0.1)),
      AttachWithSpringIntention("position", to: .value([3, 4]), threshold: 0.5),
    ]
    for tie in ties { #expect(try AttachWithSpringIntention(tie.intention) == tie) }
  }
}
