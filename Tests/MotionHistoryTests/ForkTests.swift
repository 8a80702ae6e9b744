import MotionCore
import MotionHistory
import MotionModel
import MotionTestKit
import Testing

/// Other courses of a run. Random tests print their seed.
struct ForkTests {
  private static let types = BuiltInIntentions.all.filter {
    ["SpringTo", "AnchoredSpring", "MoveTo", "Friction", "ConstantForce"].contains($0.type.text)
  }
  private static let targets: [TargetName] = ["a", "b"]

  private func states(of runtime: Runtime) throws -> [PropertyReference: [UInt64]] {
    guard case .properties(let rows)? = try runtime.answer(.properties(nil)) else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        (row.reference, (row.state.value.array + row.state.velocity.array).map(\.bitPattern))
      })
  }

  /// Runs a frame in a runtime.
  ///
  /// - Returns: the frame as a recording has it.
  private func run(_ runtime: Runtime, _ recorder: inout FrameRecorder) throws -> RecordedFrame {
    runtime.advance()
    var frames: [RecordedFrame] = []
    for record in runtime.log.take() { if let frame = recorder.record(record) { frames.append(frame) } }
    return try #require(frames.first)
  }

  // Clauses: S11.33
  @Test func aForkWithoutAChangeIsTheRunToTheBit() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "fork"))
    for round in 0..<SeededRandom.rounds(200) {
      let plans = RandomPlans(on: Self.targets, names: ["a"], types: Self.types, delaying: true)
      let runtime = Runtime(ratePerSecond: 100)
      runtime.log.keeps = .events
      var recorder = FrameRecorder()
      func step() throws -> RecordedFrame {
        if random.chance(0.1) { _ = try? runtime.commit(plans.transaction(&random)) }
        return try run(runtime, &recorder)
      }
      for _ in 0..<Int.random(in: 1...80, using: &random) { _ = try step() }
      // What waits for the frame is in the fork, too.
      let waiting = random.chance(0.5) ? try? runtime.commit(plans.transaction(&random)).sequence : nil
      let fork = Fork(at: runtime, by: ExecutorRegistry())
      var isFirst = true
      for frame in 0..<60 {
        var recorded = try step()
        // It has these already.
        if isFirst { recorded.events.removeAll { if case .commit(waiting, _) = $0 { true } else { false } } }
        isFirst = false
        fork.follow(recorded)
        let (was, wouldBe) = (try states(of: runtime), try states(of: fork.runtime))
        guard was != wouldBe else { continue }
        let different = Set(was.keys).union(wouldBe.keys).filter { was[$0] != wouldBe[$0] }.sorted()
        let states = different.map { "\($0): \(runtime.state(of: $0) as Any), \(fork.runtime.state(of: $0) as Any)" }
        Issue.record("round \(round), frame \(frame) after the fork: \(states)")
        break
      }
    }
  }

  // Clauses: S11.33
  @Test func `a transaction that is left out has no effect, before and after the moment`() throws {
    let runtime = Runtime()
    runtime.log.keeps = .events
    var recorder = FrameRecorder()
    func commit(_ intention: Intention, to target: TargetName) throws -> UInt64 {
      var transaction = Transaction()
      transaction.add(intention, to: target)
      return try runtime.commit(transaction).sequence
    }
    let first = try commit(.springTo("x", 100), to: "a")
    _ = try run(runtime, &recorder)
    let fork = Fork(at: runtime, by: ExecutorRegistry(), lastSequence: 3)
    let second = try commit(.springTo("x", 50), to: "b")
    let third = try commit(.springTo("y", 7), to: "b")
    let recorded = try run(runtime, &recorder)
    fork.leaveOut([first, second])
    var transaction = Transaction()
    transaction.add(.springTo("z", 1), to: "c")
    try fork.commit(transaction)
    fork.follow(recorded)
    #expect(fork.advanceUntilRest(limit: 1_000))
    runtime.advanceUntilRest()
    #expect(runtime.state(of: "x", on: "a")?.value == 100 && runtime.state(of: "x", on: "b")?.value == 50)
    let value = try #require(fork.runtime.state(of: "x", on: "a")).value[0]
    #expect(value < 10, "the spring was removed in its first frame")
    #expect(fork.runtime.state(of: "x", on: "b") == nil)
    #expect(fork.runtime.state(of: "y", on: "b")?.value == 7 && third == 3)
    #expect(fork.runtime.state(of: "z", on: "c")?.value == 1 && runtime.state(of: "z", on: "c") == nil)
  }

  // Clauses: S11.33
  @Test func `input values go on in the fork, and a plan of a plugin is held`() throws {
    let plugin = PluginManifest(name: "tween", executable: "tween", intentions: [TweenIntention.description])
    var registry = ExecutorRegistry()
    try registry.register(plugin)
    let runtime = Runtime(registry: registry)
    var transaction = Transaction()
    transaction.add(.follow("x", "fader", .smoothing(.milliseconds(50))), to: "lamp")
    transaction.add(.tween("y", to: 5, duration: .seconds(1)), to: "cart")
    try runtime.commit(transaction)
    try runtime.submit(InputValues(from: "desk", [InputValue("fader", 8)]))
    for _ in 0..<5 { runtime.advance() }
    let fork = Fork(at: runtime, by: registry)
    #expect(fork.advanceUntilRest(limit: 1_000))
    #expect(fork.runtime.state(of: "x", on: "lamp")?.value == 8)
    #expect(fork.held.map(\.intention.type) == ["Tween"])
    #expect(runtime.state(of: "x", on: "lamp")?.value != 8, "the run is as it was")
  }
}
