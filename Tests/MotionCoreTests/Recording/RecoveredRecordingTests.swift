import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// A recording that begins with a start, after a recovery from a journal.
struct RecoveredRecordingTests {
  private static let plans = RandomPlans(
    on: ["a", "b", "c"], types: BuiltInIntentions.inProcess, ranking: true, delaying: true)

  /// A runtime that was recovered: from a checkpoint and, after it, rows of every kind, some of which leave empty slots,
  /// transactions that wait for their time, and transactions that wait for the next frame.
  private func recovered(_ random: inout SeededRandom) throws -> Runtime {
    let former = Runtime(ratePerSecond: 100)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      _ = try? former.commit(Self.plans.transaction(&random))
      for _ in 0..<Int.random(in: 0...20, using: &random) { former.advance() }
    }
    while !former.pendingCommits.isEmpty { former.advance() }
    let runtime = Runtime(ratePerSecond: 100)
    runtime.log.keeps = [.endings, .remains]
    runtime.restore(former.checkpoint())
    var frame = former.frame
    for row in 0..<UInt64.random(in: 0...6, using: &random) {
      let sequence = former.checkpoint().lastSequence + row + 1
      let at: Double? = random.chance(0.2) ? frame.time + 0.05 : nil
      let event: JournalEntry.Event =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .stop(random.chance(0.5) ? [] : ["a"])
        case 1: .withdraw([UInt64.random(in: 1...sequence, using: &random)])
        default: .commit(sequence: sequence, Commit(Self.plans.transaction(&random), id: .random(), at: at), client: 1)
        }
      let applied: UInt64? = random.chance(0.5) ? UInt64.random(in: 0..<sequence, using: &random) : nil
      runtime.recover(JournalEntry(event, frame: frame, time: frame.time, applied: applied))
      if random.chance(0.5) {
        frame = Frame(number: frame.number + 3, time: frame.time + 0.03, dt: 0.01)
      }
    }
    if random.chance(0.7) { runtime.applyRecovered() }
    return runtime
  }

  // Clauses: S11.8
  @Test func `a recording that begins after a recovery replays identically`() throws {
    let seed = SeededRandom.seed(of: "recordings after recoveries")
    var random = SeededRandom(seed: seed)
    var (waiting, pending) = (0, 0)
    for round in 0..<SeededRandom.rounds(300) {
      let before = try recovered(&random)
      var header = RecordingHeader(ratePerSecond: 100, plugins: [])
      let origin = before.checkpoint()
      header.checkpoint = origin
      waiting += origin.waiting.count
      pending += before.queue.pending.count
      let runtime = before.successor(from: origin)
      #expect(runtime.counts.waiting == before.counts.waiting, "seed \(seed), round \(round)")
      runtime.log.keeps.insert(.events)
      runtime.computesHashes = true
      var recorder = FrameRecorder()
      let replayer = try Replayer(header)
      for _ in 0..<30 {
        if random.chance(0.1) { _ = try? runtime.commit(Self.plans.transaction(&random)) }
        if random.chance(0.02) { runtime.applyNow(.stop([])) }
        runtime.advance()
        for frame in runtime.log.take().compactMap({ recorder.record($0) }) {
          let difference = try replayer.replay(frame)
          #expect(difference == nil, "seed \(seed), round \(round), frame \(frame.frame.number)")
        }
      }
    }
    #expect(waiting > 10 && pending > 10, "\(waiting) waited for their time, \(pending) for a frame, seed \(seed)")
  }
}
