import Testing

@testable import motionctl

@Suite struct CommitTimeTests {
  @Test(arguments: [
    ("12.5", CommitTime.absolute(12.5)), ("0", .absolute(0)), ("90s", .absolute(90)), ("2min", .absolute(120)),
    ("+2s", .relative(2)), ("+250ms", .relative(0.25)), ("+1", .relative(1)),
  ])
  func readsTimes(text: String, time: CommitTime) throws {
    #expect(try CommitTime(parsing: text) == time)
  }

  @Test(arguments: ["", "+", "soon", "-1s", "nan", "inf", "++1s"])
  func refusesOthers(text: String) {
    #expect(throws: (any Error).self) { try CommitTime(parsing: text) }
  }
}
