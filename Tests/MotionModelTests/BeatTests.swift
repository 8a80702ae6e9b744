import MotionModel
import Testing

struct BeatTests {
  @Test(arguments: [
    (Duration.zero, Duration.seconds(1)), (.milliseconds(1), .seconds(1)), (.nanoseconds(999_999_999), .seconds(1)),
    (.seconds(1), .seconds(2)), (.seconds(86_400) + .nanoseconds(1), .seconds(86_401)),
  ])
  func `a beat is due at the next full interval`(now: Duration, next: Duration) {
    #expect(Beat.next(after: now, every: .seconds(1)) == next)
  }

  @Test func `beats of an interval that divides another's coincide with them`() {
    for milliseconds in 0..<3000 {
      let now = Duration.milliseconds(milliseconds)
      let (short, long) = (Beat.next(after: now, every: .milliseconds(200)), Beat.next(after: now, every: .seconds(1)))
      #expect(short > now && short - now <= .milliseconds(200) && short <= long)
      if long - now <= .milliseconds(200) { #expect(short == long) }
    }
  }
}
