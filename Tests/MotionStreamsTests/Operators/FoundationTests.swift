import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct FoundationTests {
  @Test func `a window of the last values`() {
    #expect(
      marbles("1-2-3", show: { "\($0.map { Int($0) })" }) {
        $0._slidingWindow($0.metadata.with("_slidingWindow(size:)", args: [2]), size: 2)
      }
        == """
        1      -      2      -      3
        ._slidingWindow(size: 2)
        [1]    -      [1, 2] -      [2, 3]
        ^      -      -      -      -      !
        """)
  }

  @Test func `reading takes what is said at once and stays subscribed to nothing`() {
    let subject = MotionSubject<Int>()
    #expect(subject.stream._read() == nil)
    subject.next(1)
    subject.next(2)
    #expect(subject.stream._read() == 2)
    #expect(subject.observerCount == 0)
  }

  @Test func `what is shared is subscribed to once, as long as anybody listens`() {
    #expect(
      marbles("1-2-3", states: "+---.", second: 3) { $0._multicast() } == """
        1-2-3
        +---.

        1-2-3
        +---.
        ----3
        ----.
        ^----!
        """)
    #expect(
      marbles("1-2-3", states: "+---.", second: 3) { $0._remember() } == """
        1-2-3
        +---.

        1-2-3
        +---.
        ---23
        ---+.
        ^----!
        """)
  }
}
