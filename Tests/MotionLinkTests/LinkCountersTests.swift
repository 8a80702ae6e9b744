import MotionLink
import Testing

struct LinkCountersTests {
  @Test func `the sum of link counters adds each counter`() {
    var one = LinkCounters()
    (one.fenced, one.old, one.unexpected, one.gaps, one.retries, one.stalls) = (1, 2, 3, 4, 5, 6)
    one.conflatedTicks = 7
    var sum = one
    sum += one
    sum += LinkCounters()
    #expect(sum.fenced == 2 && sum.old == 4 && sum.unexpected == 6)
    #expect(sum.gaps == 8 && sum.retries == 10 && sum.stalls == 12)
    #expect(sum.conflatedTicks == 14)
  }
}
