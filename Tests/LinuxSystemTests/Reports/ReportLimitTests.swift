import LinuxSystem
import Testing

struct ReportLimitTests {
  @Test func `events beyond the limit are counted in the next report`() {
    var limit = ReportLimit(2, per: .seconds(10))
    #expect(limit.report(at: .seconds(1)) == 1)
    #expect(limit.report(3, at: .seconds(2)) == 3 && limit.deadline == nil)
    #expect(limit.report(4, at: .seconds(3)) == nil && limit.report(at: .seconds(10)) == nil)
    #expect(limit.pending == 5 && limit.deadline == .seconds(11))
    #expect(limit.report(0, at: .seconds(11)) == 5)
    #expect(limit.report(0, at: .seconds(30)) == nil, "no event is left to report")
  }

  @Test func `similar lines of a log are limited, and state how many are left out`() {
    var limit = ReportLimit(per: .seconds(1))
    let lines = (0..<1000).compactMap { limit.line("closed", at: .milliseconds(10 * $0)) }
    #expect(lines.count == 10 && lines.first == "closed")
    #expect(lines.last == "closed (and 99 more since the last such line)")
  }
}
