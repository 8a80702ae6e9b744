import MotionModel
import MotionPhysics
import MotionTestKit
import Testing

@testable import MotionCore

/// Properties that waves move.
struct WaveTests {
  private func place(_ time: Double, rate: Double = 1, phase: Double = 0) -> Double {
    Wave(.sine, rate: [rate, 0, 0, 0], phase: [phase, 0, 0, 0], offset: [5, 0, 0, 0], amplitude: [2, 0, 0, 0])
      .sample(at: time).value[0]
  }

  // Clauses: S24.1, S24.3
  @Test func `a wave moves its property by the simulated time, after a passage from where it was`() throws {
    let scene = try MotionCoreTests.Scene()
    try scene.add(.springTo("x", 100, initialVelocity: 300))
    scene.advance(10)
    var last = (value: scene.value(), velocity: scene.velocity())
    try scene.add(.wave("x", rate: 2, offset: 5, amplitude: 2))
    for frame in 0..<200 {
      scene.advance()
      let mean = (scene.velocity() + last.velocity) / 2
      #expect(abs(scene.value() - last.value - mean * 0.01) < 0.6, "frame \(frame)")
      last = (scene.value(), scene.velocity())
      guard frame > 16 else { continue }
      #expect(scene.value() == place(scene.runtime.frame.time, rate: 2))
    }
    #expect(scene.runtime.wantsFrames && scene.ended() == ["1.0 displaced"])
  }

  // Clauses: S24.1
  @Test func `waves of one rate are in step, whenever they begin and whatever interrupts them`() throws {
    let scene = try MotionCoreTests.Scene()
    for (number, target) in (["a", "b", "c"] as [TargetName]).enumerated() {
      try scene.add(.wave("x", rate: 0.7, phase: Lanes(Double(number) / 4), offset: 5, amplitude: 2), to: target)
      scene.advance(13)
    }
    try scene.add(.springTo("x", 50), to: "b")
    repeat { scene.advance() } while try scene.intentions().count > 3
    #expect(abs(scene.value("x", on: "b") - 50) < 1)
    scene.advance(17)
    for (number, target) in (["a", "b", "c"] as [TargetName]).enumerated() {
      let expected = place(scene.runtime.frame.time, rate: 0.7, phase: Double(number) / 4)
      #expect(scene.value("x", on: target) == expected, "\(target)")
    }
  }

  // Clauses: S24.4
  @Test func `each lane may have a rate, phase and amplitude of its own`() throws {
    let scene = try MotionCoreTests.Scene()
    try scene.add(.wave("position", rate: 0.5, phase: [0, 0.25], offset: [10, 20], amplitude: [3, 4]))
    scene.advance(60)
    for _ in 0..<100 {
      scene.advance()
      let place = try #require(scene.runtime.state(of: "position", on: "ball")?.value)
      let (x, y) = ((place[0] - 10) / 3, (place[1] - 20) / 4)
      #expect(abs(x * x + y * y - 1) < 1e-12, "an ellipse")
    }
  }

  // Clauses: S24.4
  @Test func `what does not fit together is refused`() throws {
    let scene = try MotionCoreTests.Scene()
    var wide = Intention.wave("x", offset: 0, amplitude: 1)
    wide["width"] = .number(0.3)
    let refusals: [(Intention, String)] = [
      (wide, "width"), (.wave("position", rate: [1, 2, 3], offset: [0, 0], amplitude: 1), "rate"),
      (.wave("position", phase: [1, 2, 3], offset: [0, 0], amplitude: 1), "phase"),
      (.wave("x", offset: 0, amplitude: [1, 2]), "amplitude"),
      (.wave("x", rate: 1001, offset: 0, amplitude: 1), "rate"),
      (.wave("opacity", offset: [1, 2], amplitude: 1), "offset"),
      (.wave("x", offset: 0, amplitude: 1, fade: .zero), "fade"),
    ]
    for (intention, field) in refusals {
      let refusal = #expect(throws: Refusal.self) { try scene.add(intention) }
      #expect(refusal?.field == field, "\(String(describing: refusal))")
    }
  }

  // Clauses: S24.3
  @Test func `a long fade passes evenly, and applies to the beginning alone`() throws {
    let scene = try MotionCoreTests.Scene()
    try scene.add(.wave("x", rate: 5, offset: 10, amplitude: 1, fade: .seconds(2)))
    scene.advance(100)
    #expect(abs(scene.value() - 5) < 1, "half way")
    scene.advance(101)
    #expect(abs(scene.value() - 10) <= 1)
    try scene.add(.springTo("x", 50))
    repeat { scene.advance() } while try scene.driver() != "Wave"
    scene.advance(17)
    #expect(abs(scene.value() - 10) <= 1 + 1e-9, "the difference fades within 150 ms")
  }

  // Clauses: S24.3
  @Test func `a wave that stands needs no frames, and one of a higher priority moves the property`() throws {
    let scene = try MotionCoreTests.Scene()
    try scene.add(.wave("x", rate: 0, phase: 0.25, offset: 10, amplitude: 2))
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 12 && scene.velocity() == 0)
    try scene.add(.wave("x", offset: 3, amplitude: 0).priority(4), named: "high")
    try scene.add(.springTo("x", 100))
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 3)
    try scene.remove("high")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 12)
  }

  // Clauses: S24.1, S24.3
  @Test func `a restart goes on in the wave as if there had been none`() throws {
    let scene = try MotionCoreTests.Scene()
    try scene.add(.wave("x", .triangle, rate: 1.3, offset: 5, amplitude: 2))
    scene.advance(123)
    let next = scene.runtime.successor(from: scene.runtime.checkpoint())
    for frame in 0..<100 {
      scene.advance()
      next.advance()
      let state = try #require(next.state(of: "x", on: "ball"))
      #expect(abs(state.value[0] - scene.value()) < 1e-9, "frame \(frame)")
    }
  }

  // Clauses: S24.3, S19.1
  @Test func `a property under limits follows a wave within them, and the receipt names them`() throws {
    let scene = try MotionCoreTests.Scene()
    var transaction = Transaction()
    transaction.limit(
      "x", of: "ball", PropertyLimits(range: .init(0, 6), velocity: 20, acceleration: 200))
    transaction.add(.wave("x", rate: 3, offset: 5, amplitude: 2), to: "ball")
    let receipt = try scene.runtime.commit(transaction)
    #expect(receipt.limited.map(\.operation) == [1] && receipt.limited[0].limits.contains(.range))
    var last = 0.0
    for _ in 0..<300 {
      scene.advance()
      #expect(abs(scene.velocity()) <= 20 * (1 + 1e-9) && abs(scene.velocity() - last) <= 2 * (1 + 1e-9))
      #expect(scene.value() <= 6 + 1e-9)
      last = scene.velocity()
    }
    #expect(scene.value() > 2)
  }

  // Clauses: S24.5, S22.3
  @Test func `a scene has a wave, and a recall passes to it as it passes to values`() throws {
    let scene = try MotionCoreTests.Scene()
    func commit(_ change: (inout Transaction) -> Void) throws {
      var transaction = Transaction()
      change(&transaction)
      try scene.runtime.commit(transaction)
    }
    try scene.add(.wave("x", rate: 0.5, offset: 5, amplitude: 2, fade: .seconds(1)))
    scene.advance(30)
    try commit { $0.saveScene("waves", of: "*") }
    scene.advance()
    try commit { $0.recall(SceneRecall("waves", .spring)) }
    scene.advance()
    #expect(try scene.intentions().map(\.identity.sequence) == [1], "it is there")
    try commit { $0.remove(IntentionIdentity(sequence: 1, operation: 0), from: "ball") }
    try scene.add(.springTo("x", 100))
    scene.runtime.advanceUntilRest()
    try commit { $0.recall(SceneRecall("waves", .fade(2))) }
    scene.advance(100)
    #expect(abs(scene.value() - 50) < 10, "half way")
    scene.advance(102)
    #expect(scene.value() == place(scene.runtime.frame.time, rate: 0.5))
    let count = try scene.intentions().map(\.identity)
    try commit { $0.recall(SceneRecall("waves", .spring)) }
    scene.advance(2)
    #expect(try scene.intentions().map(\.identity) == count, "it stays")
  }

  // Clauses: S24.1, S11.8, S10.15
  @Test func `random waves and plans stay continuous, continue from a snapshot and replay to the bit`() throws {
    var random = SeededRandom(seed: TestSeed.value)
    var driven = 0
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
          func number(_ range: ClosedRange<Double>) -> Lanes { Lanes(.random(in: range, using: &random)) }
          switch Int.random(in: 0..<5, using: &random) {
          case 0: transaction.remove(named: name, from: "ball")
          case 1: transaction.add(.springTo("x", number(-100...100)), to: "ball")
          case 2: transaction.add(.anchoredSpring("x", number(-100...100)), named: name, to: "ball")
          default:
            let wave = Intention.wave(
              "x", random.chance(0.5) ? .sine : .triangle, rate: number(-3...3), phase: number(0...1),
              offset: number(-50...50), amplitude: number(-50...50),
              fade: .seconds(.random(in: 0.1...1, using: &random)))
            transaction.add(random.chance(0.2) ? wave.after(0.1) : wave, named: name, to: "ball")
          }
          try runtime.commit(transaction)
        }
        runtime.advance()
        let state = runtime.state(of: "x", on: "ball") ?? PropertyState(0)
        if runtime.currentProperties.first?.driver == "Wave", state.velocity != 0, last.velocity != 0 {
          driven += 1
          let mean = (state.velocity[0] + last.velocity[0]) / 2
          // The passage over 0.1 s from up to 150 away accelerates by up to 6 · 150 / 0.01.
          #expect(abs(state.value[0] - last.value[0] - mean * 0.01) < 6, "round \(round), frame \(frame)")
        }
        last = state
        for recorded in runtime.log.take().compactMap({ recorder.record($0) }) {
          let difference = try replayer.replay(recorded)
          #expect(difference == nil, "round \(round), frame \(frame)")
        }
      }
    }
    #expect(driven > 1000)
  }
}
