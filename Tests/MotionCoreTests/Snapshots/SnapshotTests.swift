import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// A runtime that continues from a snapshot is the same as one that was not interrupted.
struct SnapshotTests {
  // Clauses: S11.37
  @Test func `what follows from a snapshot is the same to the bit`() throws {
    var random = SeededRandom(seed: TestSeed.value)
    for round in 0..<SeededRandom.rounds(60) {
      let seed = UInt64.random(in: 1...UInt64.max / 2, using: &random)
      let chaos = try Chaos(seed: seed)
      chaos.runtime.computesHashes = true
      var log = TraceLog(chaos.runtime)
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        try chaos.happen()
        chaos.runtime.advance(by: chaos.pick([0.01, 0.005, 0.1]))
      }
      // Between two frames, the effects of events so far belong to the state, and what waits to the next frame.
      if chaos.chance(0.5) { try chaos.happen() }
      _ = log.takeFrames()
      log = TraceLog(chaos.runtime)
      guard let snapshot = chaos.runtime.snapshot() else { continue }
      var header = RecordingHeader(ratePerSecond: 100, plugins: [.tween(instances: 2), .gesture])
      header.snapshot = snapshot
      let replayer = try Replayer(header)
      let place = "round \(round), seed \(seed), after frame \(snapshot.frame.number)"
      expectEqual(chaos.runtime, replayer.runtime, place)
      for step in 0..<100 {
        try chaos.happen()
        chaos.runtime.advance(by: chaos.pick([0.01, 0.005, 0.1]))
        for frame in log.takeFrames() {
          guard try replayer.replay(frame) != nil else { continue }
          Issue.record("\(place): step \(step) differs: \(difference(chaos.runtime, replayer.runtime))")
          return
        }
      }
      expectEqual(chaos.runtime, replayer.runtime, "\(place), later")
    }
  }

  // Clauses: S11.37
  @Test(arguments: [2, 3, 4] as [UInt8])
  func `the formats before are read, and one before these is refused`(format: UInt8) throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 10))
    scene.advance(5)
    var snapshot = try #require(scene.runtime.snapshot())
    #expect(snapshot.details.first == 5)
    snapshot.details[0] = format
    // No property was held back.
    if format < 5 { snapshot.details.removeLast() }
    let next = try Scene()
    try next.runtime.restore(snapshot)
    scene.advance()
    next.advance()
    #expect(next.runtime.state(of: "x", on: "ball") == scene.runtime.state(of: "x", on: "ball"))
    snapshot.details[0] = 1
    let other = try Scene()
    #expect(throws: Refusal.self) { try other.runtime.restore(snapshot) }
  }

  // Clauses: S11.37
  @Test(arguments: [[1], [2, 97], [0x83, 0, 97, 98]])
  func `a text that ends before its length is refused`(bytes: [UInt8]) {
    var reader = SnapshotReader(bytes)
    #expect(throws: SnapshotDamage.self) { try reader.text() }
  }

  // Clauses: S11.37
  @Test func `damaged bytes are refused, or make some other state, and never trap`() throws {
    var random = SeededRandom(seed: TestSeed.value)
    var (refused, restored) = (0, 0)
    for _ in 0..<SeededRandom.rounds(12) {
      let chaos = try Chaos(seed: UInt64.random(in: 1...UInt64.max / 2, using: &random))
      for _ in 0..<Int.random(in: 20...150, using: &random) {
        try chaos.happen()
        chaos.runtime.advance()
      }
      guard let snapshot = chaos.runtime.snapshot() else { continue }
      for _ in 0..<100 {
        var damaged = snapshot
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let index = Int.random(in: damaged.details.indices, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: damaged.details[index] = UInt8.random(in: 0...255, using: &random)
          case 1: damaged.details[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 2: damaged.details.remove(at: index)
          default: damaged.details.insert(UInt8.random(in: 0...3, using: &random), at: index)
          }
        }
        let runtime = Runtime(registry: try Chaos.registry(), ratePerSecond: 100)
        do {
          try runtime.restore(damaged)
        } catch {
          refused += 1
          continue
        }
        restored += 1
        // Other plans, properties and executors get numbers after those of the snapshot.
        var transaction = Transaction()
        transaction.add(.springTo("new", 1), to: "new")
        _ = try? runtime.commit(transaction)
        for _ in 0..<5 { runtime.advance() }
        runtime.applyNow(.lost(WorkerAddress("gesture", 0)))
        runtime.applyNow(.stop([]))
        for _ in 0..<5 { runtime.advance() }
        _ = runtime.snapshot()
      }
    }
    #expect(refused > 100 && restored > 10, "\(refused) refused, \(restored) restored")
  }

  // Clauses: S11.37
  @Test func `numbers without successors are refused`() throws {
    let runtime = Runtime()
    var transaction = Transaction()
    transaction.add(.springTo("x", 1), to: "a")
    try runtime.commit(transaction)
    runtime.advance()
    var sequence = try #require(runtime.snapshot())
    sequence.checkpoint.lastSequence = .max
    runtime.plans.last.executor = .max
    let executor = try #require(runtime.snapshot())
    runtime.plans.last.executor = 1
    runtime.movement.properties.lastHandle = .max
    let handle = try #require(runtime.snapshot())
    runtime.movement.properties.lastHandle = 1
    var frame = try #require(runtime.snapshot())
    frame.checkpoint.frame = Frame(number: .max, time: 1, dt: 1)
    for snapshot in [sequence, executor, handle, frame] {
      #expect(throws: Refusal.self) { try Runtime().restore(snapshot) }
    }
  }

  /// The properties that differ, or late ones, with their plans.
  private func difference(_ runtime: Runtime, _ other: Runtime) -> [String] {
    zip(runtime.allProperties, other.allProperties).compactMap { one, two in
      guard one.handle != two.handle || one.state != two.state || one.isLate != two.isLate else { return nil }
      let plans = runtime.plans.intentions.map(\.value).filter { $0.target.name == one.reference.target }
      return "\(one) \(two) \(runtime.movement.properties.limits[one.reference] as Any) "
        + "\(plans.map { "\($0.identity) \($0.intention) \($0.state)" })"
    }
  }

  /// Compares everything that a snapshot has, except the transactions that wait for their time.
  private func expectEqual(_ runtime: Runtime, _ other: Runtime, _ place: String) {
    // A recording has a transaction in the frame that applies it, whether or not it waited for a time.
    other.queue.lastApplied = runtime.queue.lastApplied
    other.plans.last.sequence = runtime.plans.last.sequence
    guard var (one, two) = runtime.snapshot().flatMap({ one in other.snapshot().map { (one, $0) } }) else {
      #expect(runtime.canSnapshot == other.canSnapshot, "\(place)")
      return
    }
    (one.checkpoint.waiting, two.checkpoint.waiting) = ([], [])
    #expect(one.details == two.details, "\(place)")
    #expect(one.checkpoint == two.checkpoint, "\(place)")
    #expect(one.quarantined == two.quarantined, "\(place)")
  }
}
