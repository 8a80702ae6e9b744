import MotionModel
import Testing

@testable import MotionHistory

struct RecordedMomentTests {
  // Clauses: S11.34
  @Test func `moments are read from text`() {
    for (text, moment) in [
      ("12.5", RecordedMoment.simulated(12.5)), ("12.5s", .simulated(12.5)), ("300ms", .simulated(0.3)),
      ("-30s", .beforeEnd(30)), ("-0", .beforeEnd(0)), ("01:58:12", .wall(7_092, day: nil)),
      ("23:59", .wall(86_340, day: nil)), ("1970-01-02T00:00:01.5Z", .wall(1.5, day: 1)),
    ] {
      #expect(RecordedMoment(parsing: text) == moment, "\(text)")
    }
    for text in [
      "", "x", "-", "--1", "-1:30", "24:00", "12:60", "1:2:3:4", ":", "T:", "1970-13-01T00:00", "1970-01-01T", "nan",
      "inf",
      "1e999", "01:58:61", "a:b", "1970-01-01-01T00:00",
    ] {
      #expect(RecordedMoment(parsing: text) == nil, "\(text)")
    }
  }

  private func times(_ wallTimes: [Double?]) -> RecordedTimes {
    RecordedTimes(
      "show.mcap",
      wallTimes.enumerated().map { index, wall in
        .init(number: UInt64(index + 5), time: Double(index) / 2, wallTime: wall.map { Int64($0 * 1e9) })
      })
  }

  // Clauses: S11.34
  @Test func `a moment is the first frame then or later`() throws {
    let times = times([100, 100.5, 101, 101.5])
    #expect(try RecordedMoment.simulated(0.6).frame(in: times) == 7)
    #expect(try RecordedMoment.beforeEnd(1).frame(in: times) == 6)
    #expect(try RecordedMoment.frame(8).frame(in: times) == 8)
    #expect(try RecordedMoment.wall(100.2, day: nil).frame(in: times) == 6)
    #expect(try RecordedMoment.wall(100.2, day: 0).frame(in: times) == 6)
    for moment in [RecordedMoment.simulated(9), .frame(4), .wall(200, day: nil), .wall(100.2, day: 1)] {
      #expect(throws: HistoryError.self, "\(moment)") { try moment.frame(in: times) }
    }
  }

  // Clauses: S11.34
  @Test func `a wall time that the clock showed twice is refused with the frames`() throws {
    let times = times([100, 101, 102, 100.5, 101.5, 102.5])
    let failure = try #require(throws: HistoryError.self) { try RecordedMoment.wall(101.2, day: nil).frame(in: times) }
    #expect(failure.message.contains("frame 7 at") && failure.message.contains("frame 9 at"), "\(failure)")
    #expect(try RecordedMoment.wall(100.2, day: nil).frame(in: times) == 6)
    let old = self.times([nil, nil])
    #expect(throws: HistoryError.self) { try RecordedMoment.wall(101.2, day: nil).frame(in: old) }
  }
}
