import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct RewriteTests {
  @Test func `what a value stands for, and nothing for others`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0.rewrite([3: 9.0, 1: 7.0]) } == """
        1-2-3
        +---.
        .rewrite(: [1.0: 7.0, 3.0: 9.0])
        7---9
        +---.
        ^----!
        """)
  }

  @Test func `values that are streams are subscribed to, and the newest counts`() {
    let (keys, one, two) = (MotionSubject<Int>(), MotionSubject<String>(), MotionSubject<String>())
    var heard: [String] = []
    let subscription = keys.stream.rewrite([1: one.stream, 2: two.stream]).subscribe { heard.append($0) }
    keys.next(1)
    #expect(heard.isEmpty, "nothing is known of it yet")
    one.next("a")
    two.next("b")
    keys.next(2)
    keys.next(3)
    two.next("c")
    keys.next(1)
    #expect(heard == ["a", "b", "a"])
    subscription.unsubscribe()
    #expect(keys.observerCount + one.observerCount + two.observerCount == 0)
  }
}
