import MotionCore
import MotionModel
import Testing

/// Fades of a worker that is often late, beside a motiond that is late, too.
struct LateFadeTests {
  /// How the value of a fade to 1 follows from its share of the time, and how fast per whole.
  enum Fade: CaseIterable {
    case even, slowing

    func sample(_ share: Double) -> (value: Double, velocity: Double) {
      switch self {
      case .even: (share, share < 1 ? 1 : 0)
      case .slowing: (1 - (1 - share) * (1 - share), 2 * (1 - share))
      }
    }
  }

  /// A worker that answers the frames that it has received, all of them or the newest, except while it stalls.
  private struct Worker {
    let fade: Fade
    let fake: FakeWorker
    let plan: IntentionIdentity
    let first: UInt64
    /// The fade's duration in frames.
    let frames: UInt64
    /// Likewise in seconds.
    let seconds: Double
    var received: [UInt64] = []
    var isOver = false

    mutating func answer(newestOnly: Bool) throws {
      for frame in newestOnly ? received.suffix(1) : received[...] where !isOver {
        let share = min(1, Double(frame - first) / Double(frames))
        let (value, velocity) = fade.sample(share)
        try fake.write(1, value, velocity: velocity / seconds, imposing: frame == first ? [.value, .velocity] : [])
        isOver = share == 1
        if isOver {
          fake.say(.finished(ExecutorHandle(1), plan, .completed))
          fake.say(.activity(ExecutorHandle(1), false))
        }
        fake.send(frame: frame)
      }
      received = []
    }
  }

  /// What a property did: the farthest way back before it was at the end, and all in all; the highest value; the last.
  private struct Course {
    var (back, backInAll, highest, last) = (0.0, 0.0, 0.0, 0.0)
    private var run = 0.0

    mutating func take(_ value: Double) {
      run = value < last ? run + last - value : 0
      if value < 0.995 { back = max(back, run) }
      (backInAll, highest, last) = (max(backInAll, run), max(highest, value), value)
    }
  }

  // Clauses: S10.12, S10.21
  @Test(arguments: Fade.allCases, [100, 10])
  func `a fade does not go back although its worker and motiond stall`(fade: Fade, rate: Double) throws {
    let seed = TestSeed.value
    var random = SplitMix(seed: seed)
    func chance(_ share: Double) -> Bool { Double.random(in: 0...1, using: &random) < share }
    let frames: UInt64 = rate == 100 ? 100 : 30
    var (lateEnds, stalls) = (0, 0)
    for round in 0..<300 {
      let scene = try Scene(ratePerSecond: rate)
      let fake = scene.worker("tween")
      let plan = try scene.add(.tween("x", to: 1))
      scene.advance()
      fake.say(.activity(ExecutorHandle(1), true))
      let first = scene.runtime.frame.number
      var worker = Worker(
        fade: fade, fake: fake, plan: plan, first: first, frames: frames, seconds: Double(frames) / rate,
        received: [first])
      var course = Course()
      var (workerStalls, motiondStalls, owed) = (0, 0, 0)
      let shortBeforeEnd = first + frames - .random(in: 1...10, using: &random)
      for _ in 0..<200 {
        if workerStalls > 0 {
          workerStalls -= 1
        } else if scene.runtime.frame.number == shortBeforeEnd || chance(0.1) {
          workerStalls = .random(in: 1...10, using: &random)
        }
        if workerStalls == 0 { try worker.answer(newestOnly: chance(0.5)) }
        if motiondStalls > 0 {
          (motiondStalls, owed, stalls) = (motiondStalls - 1, owed + 1, stalls + 1)
          continue
        }
        if chance(0.03) { motiondStalls = .random(in: 1...8, using: &random) }
        // Of more than four late frames the others are skipped.
        for _ in 0...min(4, owed) {
          scene.advance()
          worker.received.append(scene.runtime.frame.number)
          course.take(scene.value())
          if scene.runtime.frame.number == first + frames + 1, !worker.isOver { lateEnds += 1 }
        }
        owed = 0
      }
      let place = "seed \(seed), round \(round): \(course)"
      #expect(course.back < 1e-9, "\(place)")
      // An even fade ends without a warning: the property has moved on evenly by then, for two frames at most.
      // A slowing one slows down by the square.
      let share = 1 / Double(frames)
      let most = fade == .even ? 2.5 * share : 20 * share * share
      #expect(course.highest < 1 + most && course.backInAll < most, "\(place)")
      #expect(abs(course.last - 1) < 1e-6, "\(place)")
    }
    #expect(lateEnds > 50 && stalls > 1000, "seed \(seed): \(lateEnds), \(stalls)")
  }
}
