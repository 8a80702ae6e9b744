import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct DebounceTests {
  @Test func `the newest value, once a frame`() {
    let (clock, source) = (ManualFrameClock(), MotionSubject<Int>(Metadata("source")))
    var heard: [Int] = []
    let stream = source.stream._debounce(clock)
    #expect(stream.metadata.debugDescription == "source()\n  ._debounce(frame: frames)")
    let subscription = stream.subscribe { heard.append($0) }
    func frame(_ number: UInt64) { clock.run(Frame(number: number, time: Double(number), dt: 1)) }
    source.next(1)
    #expect(heard.isEmpty && clock.isWanted)
    frame(1)
    source.next(2)
    source.next(3)
    frame(2)
    frame(3)
    #expect(heard == [1, 3])
    #expect(!clock.isWanted)
    source.next(4)
    subscription.unsubscribe()
    #expect(!clock.isWanted)
  }
}
