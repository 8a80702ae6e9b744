import MotionModel
import Testing

@testable import motionctl

@Suite struct NumberTextTests {
  @Test(arguments: [
    (0.0, "0.000"), (-0.0, "0.000"), (-0.0004, "0.000"), (1.0005, "1.001"), (-12.3456, "-12.346"), (0.9996, "1.000"),
    (99.9999, "100.000"), (0.05, "0.050"), (123456789.125, "123456789.125"), (1e17, "1e+17"), (.infinity, "inf"),
  ])
  func roundsToThreeDigits(number: Double, text: String) {
    #expect(NumberText.fixed(number, digits: 3) == text)
  }

  @Test func roundsToWholeNumbers() {
    #expect(NumberText.fixed(2.5, digits: 0) == "3")
    #expect(NumberText.fixed(-2.4, digits: 0) == "-2")
  }

  @Test(arguments: [
    (0.0, "0.0 s"), (59.94, "59.9 s"), (60.0, "1 min 00 s"), (245.7, "4 min 05 s"), (3725.0, "1 h 02 min"),
    (90061.0, "25 h 01 min"), (1e300, "1e+300 s"),
  ])
  func `durations are written in seconds, minutes and hours`(seconds: Double, text: String) {
    #expect(NumberText.seconds(seconds) == text)
  }
}
