import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ValveTests {
  // Clauses: S3.38
  @Test func `valve opens on true and closes on false, and ignores repetitions`() {
    #expect(
      marbles(.numbers("1-2-3-4-", states: "---+----"), .flags("-tt--ff-t", states: "+--.")) {
        $0.valve(openWhenTrue: $1)
      } == """
        1-2-3-4--
        ---+-----
        -tt--ff-t
        +--.-----
        .valve(openWhenTrue: other())
        --2-3----
        ---+-.---
        -^---!--^!
        ^--------!
        """)
  }

  // Clauses: S3.38
  @Test func `an immediate value may close its valve`() {
    let valve = MotionSubject<Bool>()
    var connections = 0
    let source = MotionObservable<Int>(Metadata("source")) { observer in
      connections += 1
      for value in 1...3 { observer.next(value) }
      return { connections -= 1 }
    }
    var heard: [Int] = []
    let subscription = source.valve(openWhenTrue: valve.asStream()).subscribe {
      heard.append($0)
      if $0 == 2 { valve.next(false) }
    }
    valve.next(true)
    #expect(connections == 0)
    valve.next(true)
    #expect(connections == 0)
    subscription.unsubscribe()
  }
}
