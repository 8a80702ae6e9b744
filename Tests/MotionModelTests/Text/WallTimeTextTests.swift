import MotionModel
import Testing

struct WallTimeTextTests {
  @Test func `wall times are written in UTC, to the millisecond`() {
    for (nanoseconds, text) in [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
      (1_800_000_000_123_456_789, "2027-01-15T08:00:00.123Z"), (4_107_542_399_999_999_999, "2100-02-28T23:59:59.999Z"),
      (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"), (Int64.max, "2262-04-11T23:47:16.854Z"),
      (Int64.min, "1677-09-21T00:12:43.145Z"),
    ] as [(Int64, String)] {
      #expect(WallTimeText.text(nanoseconds) == text)
    }
  }

  @Test func `dates are counted from 1970, and refused where there is none`() {
    #expect(WallTimeText.days(toYear: 1970, month: 1, day: 1) == 0)
    #expect(WallTimeText.days(toYear: 2000, month: 2, day: 29) == 11_016)
    #expect(WallTimeText.days(toYear: 2026, month: 11, day: 26) == 20_783)
    for (year, month, day) in [
      (1969, 12, 31), (2100, 2, 29), (2026, 13, 1), (2026, 4, 31), (10_000, 1, 1), (2026, 0, 1),
    ] {
      #expect(WallTimeText.days(toYear: Int64(year), month: Int64(month), day: Int64(day)) == nil)
    }
  }
}
