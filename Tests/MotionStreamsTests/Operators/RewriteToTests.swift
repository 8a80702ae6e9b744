import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct RewriteToTests {
  @Test func `the same for every value`() {
    #expect(
      marbles("1-2-3") { $0.rewriteTo(9.0) } == """
        1-2-3
        .rewriteTo(: 9.0)
        9-9-9
        ^----!
        """)
  }

  @Test func `what a stream said last, for every value and only then`() {
    let (values, stream) = (MotionSubject<Int>(), MotionSubject<String>())
    var heard: [String] = []
    let subscription = values.stream.rewriteTo(stream.stream).subscribe { heard.append($0) }
    values.next(1)
    stream.next("a")
    stream.next("b")
    values.next(2)
    #expect(heard == ["b"])
    subscription.unsubscribe()
    #expect(stream.observerCount == 0)
  }
}
