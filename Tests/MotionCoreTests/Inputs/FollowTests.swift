import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Plans that follow input values.
struct FollowTests {
  private func send(_ value: Lanes?, to scene: Scene, from device: DeviceName = "desk") throws {
    try send("fader", value, to: scene, from: device)
  }

  private func send(
    _ name: InputName, _ value: Lanes?, to scene: Scene, from device: DeviceName = "desk"
  ) throws {
    let time = scene.runtime.frame.time + 0.01
    try scene.runtime.submit(InputValues(from: device, [InputValue(name, value, time: time)]))
  }

  // Clauses: S20.3, S20.4
  @Test func `a spring goes to scale times the value plus the offset, and rests there`() throws {
    let scene = try Scene()
    try scene.add(.follow("x", "fader", scale: 10, offset: 3))
    scene.advance(3)
    #expect(!scene.runtime.wantsFrames && scene.value() == 0)
    try send(0.5, to: scene)
    #expect(scene.runtime.wantsFrames)
    scene.advance()
    #expect(scene.value() > 0 && scene.value() < 1)
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 8 && scene.velocity() == 0)
    try send(Lanes(-1), to: scene)
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == -7)
  }

  // Clauses: S20.4
  @Test func `a following spring moves like a spring to that place`() throws {
    let (scene, other) = (try Scene(), try Scene())
    let feel = SpringFeel.physical(tension: 200, friction: 8)
    try scene.add(.follow("x", "fader", .spring(feel)))
    try send(50, to: scene)
    try other.add(.springTo("x", 50, feel))
    for _ in 0..<40 {
      scene.advance()
      other.advance()
      #expect(abs(scene.value() - other.value()) < 1e-9 && abs(scene.velocity() - other.velocity()) < 1e-7)
    }
  }

  // Clauses: S20.4
  @Test func `smoothing reaches nine tenths of a step after 3.9 time constants and does not overshoot`() throws {
    let scene = try Scene()
    try scene.add(.follow("x", "fader", .smoothing(.milliseconds(100)), threshold: 0.001))
    try send(100, to: scene)
    scene.advance(39)
    #expect(abs(scene.value() - 90) < 0.5)
    var highest = 0.0
    while scene.runtime.wantsFrames {
      scene.advance()
      highest = max(highest, scene.value())
    }
    #expect(highest == 100)
  }

  // Clauses: S20.4, S10.15
  @Test func `direct has the value and its velocity, after a hand-over that fades within 150 ms`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 100, initialVelocity: 300))
    scene.advance(10)
    try scene.add(.follow("x", "fader", .direct, scale: 2))
    var last = (value: scene.value(), velocity: scene.velocity())
    for frame in 0..<40 {
      try send(Lanes(Double(frame)), to: scene)
      scene.advance()
      let mean = (scene.velocity() + last.velocity) / 2
      // The measured velocity is known from the second value on, and the difference of 95 fades with up to 95 · 6 / T².
      #expect(abs(scene.value() - last.value - mean * 0.01) < 5, "frame \(frame)")
      last = (scene.value(), scene.velocity())
      guard frame > 16 else { continue }
      #expect(scene.value() == 2 * Double(frame))
      #expect(abs(scene.velocity() - 200) < 1e-6)
    }
    scene.advance(11)
    #expect(scene.value() == 78 && scene.velocity() == 0 && !scene.runtime.wantsFrames)
  }

  // Clauses: S20.2
  @Test func `the newest value of a frame counts, whichever device sends it, and is recorded with the frame`() throws {
    let scene = try Scene()
    try scene.add(.follow("x", "fader", .direct))
    scene.advance()
    _ = scene.trace.takeFrames()
    try send(1, to: scene)
    try send("other", 5, to: scene)
    try send(2, to: scene, from: "app")
    scene.advance()
    let time = scene.runtime.frame.time
    #expect(
      scene.trace.takeFrames().map(\.events) == [
        [
          .inputValues(InputValues(from: "app", [InputValue("fader", 2, time: time)])),
          .inputValues(InputValues(from: "desk", [InputValue("other", 5, time: time)])),
        ]
      ])
    #expect(
      scene.runtime.inputs == [
        InputRow("fader", 2, time: time, device: "app", followers: 1), InputRow("other", 5, time: time, device: "desk"),
      ])
    #expect(try scene.intentions().map(\.input) == [2])
  }

  // Clauses: S20.2
  @Test func `a value that no plan follows leaves an idle runtime idle, and a later plan finds it`() throws {
    let scene = try Scene()
    scene.advance()
    try send(7, to: scene)
    #expect(!scene.runtime.isActive)
    #expect(scene.runtime.inputs.map(\.value) == [7], "it is listed while it waits")
    try scene.add(.follow("x", "fader", .direct))
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 7)
    try scene.runtime.submit(InputValues(from: "desk", [InputValue("fader", nil)]))
    #expect(scene.runtime.inputs.isEmpty)
  }

  // Clauses: S20.5
  @Test(arguments: [FollowIntention.Mode.spring(.default), .smoothing(.milliseconds(50)), .direct])
  func `a property stays without its input, and comes to rest at the last value`(
    _ mode: FollowIntention.Mode
  ) throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 40, initialVelocity: 100))
    scene.advance(5)
    let place = scene.value()
    try scene.add(.follow("x", "fader", mode))
    scene.runtime.advanceUntilRest()
    #expect(abs(scene.value() - place) < 1e-9 && scene.velocity() == 0)
    for value in 0..<20 {
      try send(Lanes(Double(value)), to: scene)
      scene.advance()
    }
    try send(nil, to: scene)
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 19 && scene.velocity() == 0)
    #expect(try scene.intentions().map(\.input) == [nil])
    #expect(scene.runtime.inputs.isEmpty)
  }

  // Clauses: S20.3
  @Test func `a value of one number moves all lanes, and one of other lanes none`() throws {
    let scene = try Scene()
    try scene.add(.follow("position", "fader", .direct, offset: [1, 2]))
    try send([3, 4], to: scene)
    scene.runtime.advanceUntilRest()
    #expect(scene.runtime.state(of: "position", on: "ball")?.value == [4, 6])
    try send(5, to: scene)
    scene.runtime.advanceUntilRest()
    #expect(scene.runtime.state(of: "position", on: "ball")?.value == [6, 7])
    try send([1, 2, 3], to: scene)
    scene.runtime.advanceUntilRest()
    #expect(scene.runtime.state(of: "position", on: "ball")?.value == [6, 7])
  }

  // Clauses: S20.3
  @Test func `the plan that was added last moves the property, and the one below resumes`() throws {
    let scene = try Scene()
    try scene.add(.follow("x", "fader", .direct), named: "below")
    try scene.add(.follow("x", "other"), named: "above")
    try send(10, to: scene)
    try send("other", 50, to: scene)
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 50)
    try scene.add(.springTo("x", 20))
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 50)
    try scene.remove("above")
    scene.advance()
    #expect(scene.value() < 50 && scene.value() > 45)
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 10)
    try scene.remove("below")
    scene.advance(2)
    try send(30, to: scene)
    #expect(!scene.runtime.wantsFrames)
  }

  // Clauses: S20.1
  @Test func `values that are out of range, and more names than there may be, are refused whole`() throws {
    let scene = try Scene()
    let refusal = #expect(throws: Refusal.self) { try send(Lanes(1e101), to: scene) }
    #expect(refusal?.field == "fader" && refusal?.code == .value)
    for number in 0..<Limits.inputValues { try send(try InputName("n\(number)"), 1, to: scene) }
    #expect(throws: Refusal.self) { try send("more", 1, to: scene) }
    scene.advance()
    let full = #expect(throws: Refusal.self) { try send("more", 1, to: scene) }
    #expect(full?.code == .limit && scene.runtime.inputs.count == Limits.inputValues)
    try send("n7", 2, to: scene)
    try send("n8", nil, to: scene)
    scene.advance()
    try send("more", 1, to: scene)
    scene.advance()
    #expect(scene.runtime.inputs.count == Limits.inputValues)
  }

  // Clauses: S20.3
  @Test func `fields that do not belong to the mode, and invalid names, are refused`() throws {
    let scene = try Scene()
    var intention = Intention.follow("x", "fader", .direct)
    intention["tension"] = .number(3)
    #expect(throws: Refusal.self) { try scene.add(intention) }
    intention = .follow("x", "fader")
    intention["timeConstant"] = .duration(.seconds(1))
    #expect(throws: Refusal.self) { try scene.add(intention) }
    intention = .follow("x", "fader")
    intention["input"] = .text("a fader")
    #expect(throws: Refusal.self) { try scene.add(intention) }
  }

  // Clauses: S20.3, S19.1
  @Test func `a property under limits follows within them`() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.limit("x", of: "ball", PropertyLimits(velocity: 20, acceleration: 200))
    transaction.add(.follow("x", "fader", .direct), to: "ball")
    try scene.runtime.commit(transaction)
    try send(10, to: scene)
    var last = 0.0
    for _ in 0..<200 {
      scene.advance()
      #expect(abs(scene.velocity()) <= 20 * (1 + 1e-9) && abs(scene.velocity() - last) <= 2 * (1 + 1e-9))
      last = scene.velocity()
    }
    #expect(scene.value() == 10)
  }

  // Clauses: S20.6
  @Test(arguments: [FollowIntention.Mode.spring(.default), .smoothing(.milliseconds(50)), .direct])
  func `a restart continues value and velocity, and the property follows when its input is there again`(
    _ mode: FollowIntention.Mode
  ) throws {
    let scene = try Scene()
    try scene.add(.follow("x", "fader", mode))
    for value in 0..<10 {
      try send(Lanes(Double(value * 3)), to: scene)
      scene.advance()
    }
    let before = (value: scene.value(), velocity: scene.velocity())
    #expect(before.velocity > 10)
    let next = scene.runtime.successor(from: scene.runtime.checkpoint())
    #expect(next.inputs.isEmpty)
    var last = before
    for frame in 0..<60 {
      if frame == 20 { try next.submit(InputValues(from: "desk", [InputValue("fader", 40, time: next.frame.time)])) }
      next.advance()
      let state = try #require(next.state(of: "x", on: "ball"))
      let mean = (state.velocity[0] + last.velocity) / 2
      #expect(abs(state.value[0] - last.value - mean * 0.01) < 0.6, "frame \(frame)")
      last = (state.value[0], state.velocity[0])
    }
    next.advanceUntilRest()
    #expect(next.state(of: "x", on: "ball")?.value == 40)
  }

  // Clauses: S20.2, S11.8, S10.15
  @Test func `random values and plans stay continuous and replay to the bit`() throws {
    var random = SeededRandom(seed: TestSeed.value)
    for round in 0..<SeededRandom.rounds(200) {
      let runtime = Runtime(ratePerSecond: 100)
      runtime.log.keeps.insert(.events)
      runtime.computesHashes = true
      var recorder = FrameRecorder()
      let replayer = try Replayer(RecordingHeader(ratePerSecond: 100, plugins: []))
      var last = PropertyState(0)
      for frame in 0..<150 {
        if random.chance(0.1) {
          var transaction = Transaction()
          let name: IntentionName = random.chance(0.5) ? "a" : "b"
          let modes: [FollowIntention.Mode] = [.spring(.default), .smoothing(.milliseconds(80))]
          switch Int.random(in: 0..<4, using: &random) {
          case 0: transaction.remove(named: name, from: "ball")
          case 1: transaction.add(.springTo("x", Lanes(.random(in: -100...100, using: &random))), to: "ball")
          default:
            let mode = modes[.random(in: 0...1, using: &random)]
            transaction.add(.follow("x", random.chance(0.5) ? "fader" : "other", mode), named: name, to: "ball")
          }
          try runtime.commit(transaction)
        }
        if random.chance(0.3) {
          let value: Lanes? = random.chance(0.1) ? nil : Lanes(.random(in: -100...100, using: &random))
          let name: InputName = random.chance(0.5) ? "fader" : "other"
          try runtime.submit(InputValues(from: "desk", [InputValue(name, value, time: runtime.frame.time)]))
        }
        runtime.advance()
        let state = runtime.state(of: "x", on: "ball") ?? PropertyState(0)
        // Without a driver the velocity becomes 0 at once; otherwise forces of at most 342 · 200 act, and friction.
        let driver = runtime.currentProperties.first?.driver
        if driver == "Follow", state.velocity != 0, last.velocity != 0 {
          let mean = (state.velocity[0] + last.velocity[0]) / 2
          #expect(abs(state.value[0] - last.value[0] - mean * 0.01) < 1.5, "round \(round), frame \(frame)")
        }
        last = state
        for recorded in runtime.log.take().compactMap({ recorder.record($0) }) {
          let difference = try replayer.replay(recorded)
          #expect(difference == nil, "round \(round), frame \(frame)")
        }
      }
    }
  }
}
