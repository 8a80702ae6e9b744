import MotionModel
import Testing

@Suite struct CommitTimeTests {
  @Test(arguments: [
    ("12.5", CommitTime.absolute(12.5)), ("0", .absolute(0)), ("90s", .absolute(90)), ("2min", .absolute(120)),
    ("+2s", .relative(2)), ("+250ms", .relative(0.25)), ("+1", .relative(1)),
  ])
  func `absolute and relative times are parsed`(text: String, time: CommitTime) {
    #expect(CommitTime(text) == time)
  }

  @Test(arguments: ["", "+", "soon", "-1s", "nan", "inf", "++1s"])
  func `invalid times are refused`(text: String) {
    #expect(CommitTime(text) == nil)
  }
}
