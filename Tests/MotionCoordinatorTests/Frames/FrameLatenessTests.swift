import MotionModel
import Testing

@testable import MotionCoordinator

struct FrameLatenessTests {
  @Test func `old frames leave the last minute and stay in the total`() {
    var lateness = FrameLateness()
    lateness.add(.microseconds(40), at: .seconds(1000))
    lateness.add(.microseconds(20), at: .seconds(1045))
    #expect(lateness.lastMinute(at: .seconds(1045)).count == 2)
    // 50 s at least, 60 at most.
    #expect(lateness.lastMinute(at: .seconds(1050)).count == 2)
    #expect(lateness.lastMinute(at: .seconds(1060)).longest == 20_000)
    #expect(lateness.lastMinute(at: .seconds(1200)).count == 0)
    #expect(lateness.sinceStart.count == 2 && lateness.sinceStart.longest == 40_000)
  }

  @Test func `an interval of the last minute is cleared before it is reused`() {
    var lateness = FrameLateness()
    lateness.add(.microseconds(40), at: .seconds(5))
    lateness.add(.microseconds(20), at: .seconds(65))
    #expect(lateness.lastMinute(at: .seconds(65)).count == 1)
    #expect(lateness.lastMinute(at: .seconds(65)).longest == 20_000)
  }

  @Test func `the lateness is shown in seconds in the status`() {
    var histogram = TimeHistogram()
    for _ in 0..<999 { histogram.add(nanoseconds: 10_000) }
    histogram.add(nanoseconds: 2_000_000)
    let shown = Status.Lateness(histogram)
    #expect(shown.frames == 1000)
    #expect(shown.p50 >= 10e-6 && shown.p50 < 10.4e-6 && shown.p999 < 10.4e-6)
    #expect(shown.max == 0.002)
  }
}
