import MotionCore
import MotionModel
import Testing

/// A recording that is replayed gives the same bits, without workers.
struct RecordingTests {
  private func record(seed: UInt64, frames: Int = 400) throws -> (RecordingHeader, [RecordedFrame], Chaos) {
    let chaos = try Chaos(seed: seed)
    chaos.runtime.computesHashes = true
    let log = TraceLog(chaos.runtime)
    var recorded: [RecordedFrame] = []
    for _ in 0..<frames {
      try chaos.happen()
      chaos.runtime.advance(by: chaos.pick([0.01, 0.005, 0.1]))
      recorded += log.takeFrames()
    }
    let header = RecordingHeader(ratePerSecond: 100, plugins: [.tween(instances: 2), .gesture])
    return (header, recorded, chaos)
  }

  // Clauses: S11.8, S19.11
  @Test func `a replay gives the same hashes`() throws {
    let seed = TestSeed.value
    for seed in seed..<seed + 5 {
      let (header, frames, chaos) = try record(seed: seed)
      let replayer = try Replayer(header)
      for frame in frames { #expect(try replayer.replay(frame) == nil, "seed \(seed), frame \(frame.frame.number)") }
      // A recording has a transaction in the frame that applies it, and not while it waits.
      var counts = chaos.runtime.counts
      counts.waiting = 0
      #expect(replayer.runtime.counts == counts, "seed \(seed)")
      let states = chaos.runtime.allProperties.map(\.state)
      #expect(replayer.runtime.allProperties.map(\.state) == states, "seed \(seed)")
      #expect(Set(frames.map(\.hash)).count > frames.count / 2, "the hashes say something")
    }
  }

  // Clauses: S11.52
  @Test func `a header states no plugin by what depends on the machine`() throws {
    var plugin = PluginManifest.tween()
    (plugin.limits.niceness, plugin.libraries) = (5, ["/usr/lib/python3"])
    var registry = ExecutorRegistry()
    try registry.register(plugin)
    #expect(registry.recordedPlugins == [.tween()])
  }

  // Clauses: S11.8
  @Test func `a changed bit of a recording is found`() throws {
    var (header, frames, _) = try record(seed: 7, frames: 200)
    let index = 100
    frames[index].hash ^= 1
    let replayer = try Replayer(header)
    let differences = try frames.compactMap { try replayer.replay($0) }
    #expect(differences.map(\.frame) == [frames[index].frame.number])
  }

  // Clauses: S11.8
  @Test func `a changed input differs from its frame on`() throws {
    let scene = try Scene()
    scene.runtime.computesHashes = true
    try scene.add(.springTo("x", 1))
    var frames: [RecordedFrame] = []
    for _ in 0..<20 {
      scene.advance()
      frames += scene.trace.takeFrames()
    }
    var transaction = Transaction()
    transaction.add(.springTo("x", Lanes(1.0.nextUp)), to: "ball")
    frames[0].events = [.commit(sequence: 1, transaction)]
    let replayer = try Replayer(RecordingHeader(ratePerSecond: 100, plugins: []))
    #expect(try frames.compactMap { try replayer.replay($0) }.count >= 19)
  }

  @Test func aDamagedRecordingIsRefused() throws {
    let (header, frames, _) = try record(seed: 3, frames: 5)
    let replayer = try Replayer(header)
    _ = try replayer.replay(frames[0])
    #expect { try replayer.replay(frames[2]) } throws: { ($0 as? Refusal)?.code == .malformed }
    var back = frames[1]
    back.frame.time = -1
    #expect(throws: Refusal.self) { try replayer.replay(back) }
    back.frame.time = .nan
    #expect(throws: Refusal.self) { try replayer.replay(back) }
    for dt in [-1, Runtime.longestFrame.nextUp, .infinity, .nan] {
      var long = frames[1]
      long.frame.dt = dt
      #expect(throws: Refusal.self) { try replayer.replay(long) }
    }
    #expect(try replayer.replay(frames[1]) == nil)
    #expect(throws: Refusal.self) { try Replayer(RecordingHeader(ratePerSecond: 0, plugins: [])) }
  }

  @Test func `a commit after a replay gets the next sequence`() throws {
    let replayer = try Replayer(RecordingHeader(ratePerSecond: 100, plugins: []))
    var transaction = Transaction()
    transaction.add(.springTo("x", 1), to: "ball")
    let frame = Frame(number: 1, time: 0.01, dt: 0.01)
    let recorded = RecordedFrame(frame: frame, events: [.commit(sequence: 7, transaction)], hash: 0)
    _ = try replayer.replay(recorded)
    #expect(try replayer.runtime.commit(transaction).sequence == 8)
  }

  @Test func `transactions that a stop applied early are recorded one by one`() throws {
    let scene = try Scene()
    scene.runtime.computesHashes = true
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1), named: "a")
    scene.advance()
    _ = scene.trace.takeFrames()
    try scene.remove("a")
    try scene.add(.tween("y", to: 1))
    scene.runtime.applyNow(.stop(["other"]))
    #expect(scene.runtime.executorCount(in: worker.address) == 1, "not removed and made again in between")
    scene.advance()
    #expect(scene.trace.takeFrames().map(\.betweenFrames.count) == [3])
  }

  @Test func `without hashes none is computed`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 1))
    scene.advance()
    #expect(scene.runtime.frameHash == 0 && scene.trace.takeFrames().map(\.hash) == [0])
  }
}
