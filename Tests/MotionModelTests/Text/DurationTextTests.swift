import MotionModel
import MotionTestKit
import Testing

@Suite struct DurationTextTests {
  @Test(arguments: [
    ("300ms", Duration.milliseconds(300)), ("1.5s", .milliseconds(1500)), ("250us", .microseconds(250)),
    ("250µs", .microseconds(250)), ("2min", .seconds(120)), ("1h", .seconds(3600)), ("0.1h", .seconds(360)),
    ("7ns", .nanoseconds(7)), ("0s", .zero), ("2", .seconds(2)), ("0.25", .milliseconds(250)), ("-3", .seconds(-3)),
    ("-20ms", .milliseconds(-20)), ("300 ms", .milliseconds(300)),
    ("0.000000001ns", Duration(attoseconds: 1)), ("0.0000000019ns", Duration(attoseconds: 1)),
  ])
  func `durations are parsed in every unit`(_ text: String, _ duration: Duration) {
    #expect(DurationText.duration(of: text) == duration)
  }

  @Test(arguments: [
    "", "300 ", "99999999999", "ms", "1m", "1 min ", "1e3ms", ".5s", "5.s", "--5s", "1.5.5s", "5\u{301}s",
    "1.5\u{301}s", "५s",
    "99999999999999999999ns", "9999999h", "9999999999999999999h", "1  s",
  ])
  func `invalid durations are refused`(_ text: String) {
    #expect(DurationText.duration(of: text) == nil)
  }

  @Test(arguments: [
    (Duration.milliseconds(300), "300ms"), (.milliseconds(1500), "1.5s"), (.seconds(90), "90s"),
    (.seconds(120), "2min"), (.seconds(3600), "1h"), (.seconds(3660), "61min"), (.zero, "0s"),
    (.milliseconds(-20), "-20ms"), (.nanoseconds(1_000_001), "1.000001ms"), (Duration(attoseconds: 1), "0.000000001ns"),
  ])
  func `durations are printed in the most readable unit`(_ duration: Duration, _ text: String) {
    #expect(DurationText.text(of: duration) == text)
  }

  @Test func `printed durations parse to the same`() {
    var random = SeededRandom(seed: SeededRandom.seed(of: "DurationText"))
    for _ in 0..<10_000 {
      let size = Int128(random.next()) << (random.next() % 26)
      let duration = Duration(attoseconds: random.next() % 2 == 0 ? size : -size)
      guard abs(duration.inSeconds) < Limits.durationSeconds else { continue }
      #expect(DurationText.duration(of: DurationText.text(of: duration)) == duration)
    }
  }

  /// The nearest `Double` to 0.3 is not 300 ms; the decimal text is.
  @Test func numbersOfSecondsAreExactToTheirLastDecimal() {
    #expect(DurationText.duration(ofSeconds: 0.3) == .milliseconds(300))
    #expect(DurationText.duration(ofSeconds: 2) == .seconds(2))
    #expect(DurationText.duration(ofSeconds: 1e-9) == .nanoseconds(1))
    for number in [Double.nan, .infinity, 1e300, -1e300, .greatestFiniteMagnitude] {
      #expect(DurationText.duration(ofSeconds: number) == nil)
    }
  }

  @Test func `seconds are given without rounding twice`() {
    #expect(Duration.milliseconds(300).inSeconds == 0.3)
    #expect(Duration.seconds(-2.5).inSeconds == -2.5)
  }
}
