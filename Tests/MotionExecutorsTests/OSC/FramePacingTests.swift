import MotionTestKit
import Testing

@testable import MotionExecutors

struct FramePacingTests {
  /// The send times if there is always something to send, in frames at these times.
  private func times(_ rate: Double, frames: some Sequence<Double>) -> [Double] {
    var pacing = FramePacing(perSecond: rate)
    return frames.compactMap { now in
      guard let time = pacing.time(at: now) else { return nil }
      #expect((now...now + FramePacing.longestEarliness + 1e-9).contains(time), "\(time) at \(now)")
      pacing.use(time)
      return time
    }
  }

  /// Frames for 20 seconds, each displaced by `waver`.
  private func frames(_ perSecond: Double, waver: () -> Double = { 0 }) -> [Double] {
    (0..<Int(20 * perSecond)).map { 1000 + Double($0) / perSecond + waver() }
  }

  /// Of one more than fit into a second, the last is at least a second after the first.
  private func expectNoSecondIsTooFull(_ times: [Double], _ rate: Double, _ comment: String) {
    let most = Int(rate.rounded(.up))
    for (first, last) in zip(times, times.dropFirst(most)) {
      #expect(last - first >= Double(most) / rate - 1e-9, "\(comment): \(most + 1) from \(first) to \(last)")
    }
  }

  private static let rates = [1, 1.5, 10, 24, 25, 30, 44, 50, 60, 100, 120, 144, 240, 1000]

  @Test(arguments: rates) func `the rate is kept exactly, and used up wherever frames allow it`(rate: Double) {
    for perSecond in [30.0, 50, 60, 90, 100, 120, 144, 240, 1000] {
      let times = times(rate, frames: frames(perSecond))
      expectNoSecondIsTooFull(times, rate, "\(rate) of \(perSecond)")
      // The last frame may be early enough for a message that is due when the 20 seconds are over.
      let expected = Int((20 * min(rate, perSecond)).rounded(.up))
      #expect((expected...expected + 1).contains(times.count), "\(rate) of \(perSecond): \(times.count)")
    }
  }

  @Test(arguments: rates) func `frames with a small jitter do not change the rate`(rate: Double) {
    let seed = SeededRandom.seed(of: "wavering frames at \(rate)")
    var random = SeededRandom(seed: seed)
    for perSecond in [30.0, 60, 120, 144] {
      // Two frames differ by the earliness at most, which is smaller for rates beyond 120.
      let most = min(FramePacing.longestEarliness, 0.5 / rate) / 2
      let times = times(
        rate, frames: frames(perSecond) { Double.random(in: -most...most, using: &random) })
      expectNoSecondIsTooFull(times, rate, "seed \(seed)")
      let expected = (20 * min(rate, perSecond)).rounded(.up)
      #expect(abs(Double(times.count) - expected) <= 1, "seed \(seed): \(times.count) of \(expected)")
    }
  }

  @Test(arguments: rates) func `irregular frames never exceed the rate in any second`(rate: Double) {
    let seed = SeededRandom.seed(of: "unruly frames at \(rate)")
    var random = SeededRandom(seed: seed)
    var now = 0.0
    let unruly = (0..<4000).map { _ in
      // Mostly some milliseconds, sometimes a pause.
      now += Double.random(in: 0...(random.chance(0.02) ? 2 : 0.02), using: &random)
      return now
    }
    expectNoSecondIsTooFull(times(rate, frames: unruly), rate, "seed \(seed)")
  }

  @Test func `lateness is made up where frames do not fit the rate`() {
    // 50 a second of 120 frames: two or three frames apart, and the delay of one frame is made up by the next.
    let times = times(50, frames: frames(120))
    let gaps = zip(times, times.dropFirst()).map { (($1 - $0) * 120).rounded() }
    #expect(Set(gaps) == [2, 3])
    #expect(abs(times[50] - times[0] - 1) < 1e-9)
  }

  @Test func `a pause does not allow a burst later`() {
    var pacing = FramePacing(perSecond: 10)
    for time in [0.0, 5] {
      #expect(pacing.time(at: time) == time)
      pacing.use(time)
    }
    #expect(pacing.time(at: 5.09) == nil)
    #expect(pacing.time(at: 5.1) == 5.1)
  }

  @Test func `a slightly early frame sends with its due time`() {
    var pacing = FramePacing(perSecond: 1)
    pacing.use(3)
    #expect(pacing.time(at: 4 - 0.005) == nil)
    #expect(pacing.time(at: 4 - 0.004) == 4)
    #expect(pacing.time(at: 4.001) == 4.001)
  }
}
