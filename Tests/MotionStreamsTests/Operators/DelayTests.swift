import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct DelayTests {
  // Clauses: S3.39
  @Test func `delay emits each value later by its duration, and states at once`() {
    #expect(
      marbles("1-23---", states: "+--.---", frames: { $0.delay(by: .seconds(2), $1) }) == """
        1-23---
        +--.---
        .delay(by: 2.0s)
        --1-23-
        +--.---
        ^------!
        """)
  }

  // Clauses: S3.39
  @Test func `unsubscribing from delay drops waiting values and stops its clock`() {
    let (clock, source) = (ManualFrameClock(), MotionSubject<Int>())
    var heard: [Int] = []
    let subscription = source.asStream().delay(by: .seconds(1), clock).subscribe { heard.append($0) }
    #expect(!clock.isWanted)
    source.next(1)
    #expect(clock.isWanted)
    subscription.unsubscribe()
    #expect(!clock.isWanted)
    clock.run(Frame(number: 1, time: 5, dt: 5))
    #expect(heard.isEmpty)
  }

  // Clauses: S3.39
  @Test func `the delay counts from the frame in which a value arrives`() {
    let (clock, source) = (ManualFrameClock(), MotionSubject<Int>())
    var heard: [String] = []
    let subscription = source.asStream().delay(by: .seconds(2), clock).subscribe {
      heard.append("\($0) at \(clock.time)")
    }
    source.next(1)
    for number in 101...102 { clock.run(Frame(number: UInt64(number), time: Double(number), dt: 1)) }
    source.next(2)
    for number in 103...104 { clock.run(Frame(number: UInt64(number), time: Double(number), dt: 1)) }
    #expect(heard == ["1 at 102.0", "2 at 104.0"])
    subscription.unsubscribe()
  }

  // Clauses: S3.39
  @Test func `frames of the delay's own clock are delayed like other values`() {
    let clock = ManualFrameClock()
    var heard: [String] = []
    let subscription = frameSource(clock).delay(by: .seconds(3), clock)
      .subscribe { heard.append("\($0.number) at \(clock.time)") }
    for number in 1...6 { clock.run(Frame(number: UInt64(number), time: Double(number), dt: 1)) }
    #expect(heard == ["1 at 4.0", "2 at 5.0", "3 at 6.0"])
    subscription.unsubscribe()
  }

  // Clauses: S3.40
  @Test func `delay emits its oldest value early when too many wait`() {
    let (clock, subject) = (ManualFrameClock(), MotionSubject<Int>())
    var heard: [Int] = []
    let subscription = subject.asStream().delay(by: .seconds(1), clock).subscribe { heard.append($0) }
    for value in 0..<longestDelayQueue { subject.next(value) }
    #expect(heard.isEmpty)
    subject.next(-1)
    #expect(heard == [0], "the oldest, early")
    subscription.unsubscribe()
    #expect(!clock.isWanted)
  }
}
