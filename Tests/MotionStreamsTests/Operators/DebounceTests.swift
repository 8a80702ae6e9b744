import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct DebounceTests {
  // Clauses: S3.10
  @Test func `debounce emits the newest value with the next frame, and states at once`() {
    #expect(
      marbles("1-(23)4--", states: "+---.-", frames: { $0._debounce($1) }) == """
        1-(23)4--
        +---.-
        ._debounce(: frames)
        -1-34-
        +---.-
        ^-----!
        """)
  }

  // Clauses: S3.10
  @Test func `debounce uses the clock only while a value waits`() {
    let (clock, source) = (ManualFrameClock(), MotionSubject<Int>())
    var heard: [Int] = []
    let subscription = source.asStream()._debounce(clock).subscribe { heard.append($0) }
    #expect(!clock.isWanted)
    source.next(1)
    #expect(heard.isEmpty && clock.isWanted)
    clock.run(Frame(number: 1, time: 1, dt: 1))
    #expect(heard == [1] && !clock.isWanted)
    source.next(2)
    subscription.unsubscribe()
    #expect(!clock.isWanted)
  }
}
