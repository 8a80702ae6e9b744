import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct StartWithTests {
  // Clauses: S3.37
  @Test func `startWith emits its value first, and late subscribers get the last once`() {
    #expect(
      marbles("--1-2", states: "--+-.", second: 3) { $0.startWith(9) } == """
        --1-2
        --+-.
        .startWith(: 9.0)
        9-1-2
        --+-.
        ---12
        ---+.
        ^----!
        """)
  }

  // Clauses: S3.37
  @Test func `startWith emits before immediate upstream values, also after all have unsubscribed`() {
    let source = MotionObservable<Int>(Metadata("now")) { observer in
      observer.next(1)
      return noopDisconnect
    }
    let stream = source.startWith(0)
    for _ in 1...2 {
      var heard: [Int] = []
      stream.subscribe { heard.append($0) }.unsubscribe()
      #expect(heard == [0, 1])
    }
  }
}
