import MotionModel
import MotionPhysics
import Testing

@testable import MotionCore

/// The fastest way to a place under limits.
struct MoveToTests {
  private static let limits = MoveLimits(maxVelocity: 120, maxAcceleration: 400, maxJerk: 2000)

  private static func move(
    _ property: PropertyName, _ destination: Lanes, finalVelocity: Lanes? = nil, after: Duration = .zero,
    together: Bool = false
  ) -> Intention {
    .moveTo(
      property, destination, finalVelocity: finalVelocity, maxVelocity: 120, maxAcceleration: 400, maxJerk: 2000,
      minimumDuration: after, arrivesTogether: together)
  }

  // Clauses: S9.25, S9.26
  @Test func `a move takes the shortest time and ends exactly at its destination`() throws {
    let scene = try Scene()
    try scene.add(Self.move("pan", 90))
    let expected = try TimeOptimalMove.solve(from: MoveState(position: 0), to: 90, limits: Self.limits)
    var frames = 0
    while scene.runtime.wantsFrames, frames < 1000 {
      scene.advance()
      frames += 1
      let state = expected.state(at: scene.runtime.frame.time)
      #expect(scene.value("pan") == state.position && scene.velocity("pan") == state.velocity)
    }
    #expect(scene.value("pan") == 90 && scene.velocity("pan") == 0)
    #expect(Double(frames) == (expected.duration * 100).rounded(.up))
    #expect(scene.ended() == ["1.0 completed"])
    #expect(!scene.runtime.isActive)
  }

  // Clauses: S9.25
  @Test func `a move begins with the value and velocity of the spring before it, which ends`() throws {
    let scene = try Scene()
    try scene.add(.springTo("pan", 100))
    scene.advance(8)
    let (value, velocity) = (scene.value("pan"), scene.velocity("pan"))
    #expect(velocity > 200)
    try scene.add(Self.move("pan", -10))
    let start = scene.runtime.frame.time
    // It is faster than the move may be, and decelerates harder.
    let expected = try TimeOptimalMove.solve(
      from: MoveState(position: value, velocity: velocity, acceleration: -400), to: -10, limits: Self.limits)
    for _ in 0..<20 {
      scene.advance()
      #expect(scene.value("pan") == expected.state(at: scene.runtime.frame.time - start).position)
    }
    #expect(scene.ended() == ["1.0 displaced"])
  }

  // Clauses: S9.28
  @Test func `a later move continues with value, velocity and acceleration`() throws {
    let scene = try Scene()
    try scene.add(Self.move("pan", 90))
    scene.advance(10)
    let first = try TimeOptimalMove.solve(from: MoveState(position: 0), to: 90, limits: Self.limits)
    let state = first.state(at: scene.runtime.frame.time)
    #expect(state.acceleration > 100)
    try scene.add(Self.move("pan", -40))
    let start = scene.runtime.frame.time
    let second = try TimeOptimalMove.solve(from: state, to: -40, limits: Self.limits)
    var last = state
    while scene.runtime.wantsFrames {
      scene.advance()
      let now = second.state(at: scene.runtime.frame.time - start)
      #expect(scene.value("pan") == now.position && scene.velocity("pan") == now.velocity)
      #expect(abs(now.acceleration - last.acceleration) <= 2000 * 0.01 + 1e-9)
      last = now
    }
    #expect(scene.ended() == ["1.0 displaced", "2.0 completed"])
  }

  // Clauses: S9.28
  @Test func `a displaced move ends and does not resume`() throws {
    let scene = try Scene()
    try scene.add(Self.move("pan", 90))
    scene.advance(5)
    try scene.add(.springTo("pan", 10))
    scene.runtime.advanceUntilRest()
    #expect(scene.ended() == ["1.0 displaced", "2.0 completed"])
    #expect(scene.value("pan") == 10)
  }

  // Clauses: S9.28
  @Test func `a standing spring resumes from a move's final velocity`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("pan", 0))
    try scene.add(Self.move("pan", 50, finalVelocity: 100))
    while scene.ended().isEmpty { scene.advance() }
    #expect(scene.value("pan") == 50 && scene.velocity("pan") == 100)
    scene.advance()
    #expect(scene.value("pan") > 50)
    scene.runtime.advanceUntilRest()
    #expect(scene.value("pan") == 0)
  }

  // Clauses: S9.26
  @Test func `a removed move leaves the property where it is`() throws {
    let scene = try Scene()
    try scene.add(Self.move("pan", 90), named: "turn")
    scene.advance(20)
    let value = scene.value("pan")
    try scene.remove("turn")
    scene.advance()
    #expect(scene.value("pan") == value && scene.velocity("pan") == 0)
  }

  // Clauses: S9.26
  @Test func `a minimum duration is kept, and exceeded where the limits require it`() throws {
    for (least, expected) in [(10.0, 10.0), (0.1, 0.0)] {
      let scene = try Scene()
      try scene.add(Self.move("pan", 90, after: .seconds(least)))
      let frames = scene.runtime.advanceUntilRest()
      let shortest = try TimeOptimalMove.solve(from: MoveState(position: 0), to: 90, limits: Self.limits).duration
      // The sum of a thousand frames is rounded.
      #expect(abs(Double(frames) - (max(expected, shortest) * 100).rounded(.up)) <= 1)
    }
  }

  // Clauses: S9.27
  @Test func `lanes arrive by themselves, or together`() throws {
    for together in [false, true] {
      let scene = try Scene()
      try scene.add(Self.move("position", [100, 10], together: together))
      var arrivals: [Int?] = [nil, nil]
      for frame in 1...300 {
        scene.advance()
        guard let state = scene.runtime.state(of: "position", on: "ball") else { continue }
        for (lane, place) in [100.0, 10].enumerated() where state.value[lane] == place && arrivals[lane] == nil {
          arrivals[lane] = frame
        }
      }
      let (first, second) = (try #require(arrivals[0]), try #require(arrivals[1]))
      #expect(together ? first == second : second < first)
      #expect(scene.ended() == ["1.0 completed"])
    }
  }

  private func commitGroup(to scene: Scene) throws {
    var transaction = Transaction()
    transaction.add(Self.move("pan", 200, together: true), to: "head")
    transaction.add(Self.move("tilt", 10, together: true), to: "head")
    transaction.add(Self.move("lift", -30, together: true), to: "arm")
    transaction.add(Self.move("lift", 5), to: "other")
    try scene.runtime.commit(transaction)
  }

  // Clauses: S9.27
  @Test func `the members of a transaction arrive together, whatever happens to one of them`() throws {
    let longest = try TimeOptimalMove.solve(from: MoveState(position: 0), to: 200, limits: Self.limits).duration
    for displacing in [false, true] {
      let scene = try Scene()
      try commitGroup(to: scene)
      scene.advance(60)
      #expect(scene.value("lift", on: "other") == 5)
      #expect(scene.value("tilt", on: "head") < 4)
      if displacing { try scene.add(.springTo("pan", 0), to: "head") }
      while scene.runtime.frame.time < longest - 0.02 {
        scene.advance()
        #expect(scene.value("tilt", on: "head") < 10 && scene.value("lift", on: "arm") > -30)
      }
      scene.advance(3)
      #expect(scene.value("tilt", on: "head") == 10 && scene.value("lift", on: "arm") == -30)
      let ended = scene.ended()
      #expect(ended.contains("1.1 completed") && ended.contains("1.2 completed") && ended.contains("1.3 completed"))
      #expect(ended.contains("1.0 \(displacing ? "displaced" : "completed")"))
    }
  }

  // Clauses: S9.29
  @Test func `a restart continues a move and its group to the bit`() throws {
    let scene = try Scene()
    try scene.add(Self.move("lift", 100), to: "arm")
    scene.advance(8)
    // The move of the arm begins with the acceleration of the one before.
    try commitGroup(to: scene)
    scene.advance(5)
    try scene.add(.springTo("pan", 0), to: "head")
    scene.advance(40)
    let next = try Scene()
    next.runtime.restore(scene.runtime.checkpoint())
    _ = scene.ended()
    var moving = 0
    while scene.runtime.wantsFrames {
      for (property, target) in [("tilt", "head"), ("lift", "arm")] as [(PropertyName, TargetName)] {
        let state = scene.runtime.state(of: property, on: target)
        #expect(next.runtime.state(of: property, on: target) == state)
        if state?.velocity != .zero(count: 1) { moving += 1 }
      }
      scene.advance()
      next.advance()
    }
    #expect(moving > 60)
    #expect(next.runtime.frame.number == scene.runtime.frame.number)
    let ended = next.ended()
    #expect(ended == scene.ended() && ended.contains("2.1 completed") && ended.contains("2.2 completed"))
  }

  // Clauses: S9.29, S17.3
  @Test func `a move continues from where a recovery has its property, although time went on`() throws {
    // A move that is in a checkpoint, and one in a row after it; the last row is two seconds younger.
    let scene = try Scene()
    try scene.add(Self.move("lift", 100), to: "arm")
    scene.advance(30)
    let next = try Scene()
    next.runtime.restore(scene.runtime.checkpoint())
    var transaction = Transaction()
    transaction.add(Self.move("tilt", 50), to: "head")
    let (first, last) = (scene.runtime.frame, scene.runtime.frame.number + 200)
    next.runtime.recover(
      JournalEntry(.commit(sequence: 2, Commit(transaction, id: .random()), client: 1), frame: first, time: first.time))
    next.runtime.recover(
      JournalEntry(.void, frame: Frame(number: last, time: first.time + 2, dt: 0.01), time: first.time + 2))
    next.runtime.applyRecovered()
    next.runtime.endRecovery()
    // It is in the next checkpoint, too.
    let third = try Scene()
    third.runtime.restore(next.runtime.checkpoint())
    scene.advance()
    next.advance()
    third.advance()
    #expect(abs(next.value("lift", on: "arm") - scene.value("lift", on: "arm")) < 1e-9)
    #expect(next.value("lift", on: "arm") > 5)
    #expect((0...0.5).contains(next.value("tilt", on: "head")))
    #expect(third.runtime.state(of: "lift", on: "arm") == next.runtime.state(of: "lift", on: "arm"))
    #expect(third.value("tilt", on: "head") == next.value("tilt", on: "head"))
  }

  // Clauses: S9.29, S11.8, S19.11
  @Test func `a move continues from its property although time goes on between a recovery and a recording`() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.limit("tilt", of: "head", PropertyLimits(velocity: 10, acceleration: 40, jerk: 400))
    transaction.add(.moveTo("tilt", 30, maxVelocity: 10, maxAcceleration: 40, maxJerk: 400), to: "head")
    try scene.runtime.commit(transaction)
    scene.advance(20)
    let recovered = try Scene()
    recovered.runtime.restore(scene.runtime.checkpoint())
    recovered.runtime.endRecovery()
    // A start that records goes on from the checkpoint in the recording's header, as its replay does.
    var header = RecordingHeader(ratePerSecond: 100, plugins: [])
    header.checkpoint = recovered.runtime.checkpoint()
    let next = recovered.runtime.successor(from: try #require(header.checkpoint))
    let replayed = try Replayer(header).runtime
    let last = next.frame
    for runtime in [next, replayed] { runtime.run(Frame(number: last.number + 1, time: last.time + 0.08, dt: 0.01)) }
    scene.advance()
    for _ in 0..<500 {
      let state = try #require(next.state(of: "tilt", on: "head"))
      #expect(abs(state.value[0] - scene.value("tilt", on: "head")) < 1e-9)
      #expect(replayed.state(of: "tilt", on: "head") == state)
      #expect(next.heldBack == 0)
      scene.advance()
      next.advance()
      replayed.advance()
    }
    #expect(next.state(of: "tilt", on: "head") == PropertyState(30))
  }

  // Clauses: S9.30
  @Test(arguments: [
    (["maxVelocity", "maxAcceleration", "maxJerk"], "maxVelocity"), (["maxAcceleration"], "maxAcceleration"),
    (["maxJerk"], "maxJerk"),
  ])
  func `a move without a limit is refused with its name`(_ missing: [String], _ field: String) throws {
    var intention = Self.move("pan", 90)
    for name in missing { intention[name] = nil }
    let scene = try Scene()
    let refusal = try #require(throws: Refusal.self) { try scene.add(intention) }
    #expect(refusal.field == field && refusal.operation == 0)
    for name in missing { #expect(refusal.message.contains("\"\(name)\"")) }
  }

  // Clauses: S9.30
  @Test func `a final velocity above the limit, or with other lanes, is refused`() throws {
    let scene = try Scene()
    let refusal = try #require(throws: Refusal.self) { try scene.add(Self.move("pan", 90, finalVelocity: -121)) }
    #expect(refusal.field == "finalVelocity")
    try scene.add(Self.move("tilt", 90, finalVelocity: 120))
    #expect(throws: Refusal.self) { try scene.add(Self.move("position", [1, 2], finalVelocity: 1)) }
    #expect(throws: Refusal.self) { try scene.add(.moveTo("pan", 1, maxVelocity: 0, maxAcceleration: 1, maxJerk: 1)) }
  }

  // Clauses: S9.19
  @Test func `a move beyond the range of numbers fails with a reason`() throws {
    let scene = try Scene()
    try scene.add(.moveTo("pan", 1e100, maxVelocity: 1e-100, maxAcceleration: 1e-100, maxJerk: 1e-100))
    try scene.add(.springTo("x", 1))
    scene.runtime.advanceUntilRest(limit: 500)
    #expect(scene.value() == 1)
    #expect(scene.velocity("pan").isFinite)
  }
}
