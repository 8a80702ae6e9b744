import Glibc
import MotionTestKit
import Testing

@testable import MotionCoordinator

struct TimeHistogramTests {
  @Test func `every percentile of an empty histogram is 0`() {
    let histogram = TimeHistogram()
    #expect(histogram.count == 0 && histogram.longest == 0)
    #expect(histogram.length(notExceededBy: 500) == 0)
  }

  @Test func `each length below 64 ns has its own bucket`() {
    for length in Int64(0)..<64 {
      var histogram = TimeHistogram()
      histogram.add(nanoseconds: length)
      histogram.add(nanoseconds: 1000)
      #expect(histogram.length(notExceededBy: 500) == length)
    }
  }

  @Test func `percentiles are those of the sorted lengths, at most 3 percent longer`() {
    let seed = SeededRandom.seed(of: "TimeHistogramTests")
    var random = SeededRandom(seed: seed)
    for _ in 0..<20 {
      var histogram = TimeHistogram()
      // All sizes from nanoseconds to seconds are equally likely.
      let lengths = (0..<1000).map { _ in Int64(exp2(Double.random(in: 0..<35, using: &random))) }
      for length in lengths { histogram.add(nanoseconds: length) }
      let sorted = lengths.sorted()
      for perThousand in [1, 500, 900, 990, 999, 1000] as [UInt64] {
        let exact = sorted[Int(perThousand) - 1]
        let found = histogram.length(notExceededBy: perThousand)
        #expect(found >= exact && Double(found) <= Double(exact) * (1 + 1.0 / 32), "seed \(seed)")
      }
      #expect(histogram.longest == sorted.last && histogram.length(notExceededBy: 1000) == sorted.last, "seed \(seed)")
    }
  }

  @Test func `the percentile of a few lengths is one of them`() {
    var histogram = TimeHistogram()
    for length in [10, 20, 30] as [Int64] { histogram.add(nanoseconds: length) }
    #expect(histogram.length(notExceededBy: 500) == 20)
    #expect(histogram.length(notExceededBy: 990) == 30)
  }

  @Test func `a negative length counts as 0, and an extremely long one is counted`() {
    var histogram = TimeHistogram()
    histogram.add(nanoseconds: .min)
    histogram.add(nanoseconds: .max)
    #expect(histogram.length(notExceededBy: 500) == 0)
    #expect(histogram.longest == .max && histogram.count == 2)
  }

  @Test func `histograms add up, and a cleared one equals a new one`() {
    var (one, other) = (TimeHistogram(), TimeHistogram())
    one.add(nanoseconds: 5)
    other.add(nanoseconds: 50)
    one.add(other)
    #expect(one.count == 2 && one.longest == 50 && one.length(notExceededBy: 1000) == 50)
    one.clear()
    #expect(one == TimeHistogram())
  }
}
