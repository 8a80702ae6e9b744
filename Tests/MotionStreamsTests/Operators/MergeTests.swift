import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct MergeTests {
  // Clauses: S3.35, S3.36
  @Test func `merge emits the values of both as they arrive`() {
    #expect(
      marbles(.numbers("1---3--", states: "+--."), .numbers("--2-5-4", states: "-+----.")) { $0.merge(with: $1) } == """
        1---3--
        +--.---
        --2-5-4
        -+----.
        .merge(with: other())
        1-2-(35)-4
        ++----.
        ^------!
        ^------!
        """)
  }

  // Clauses: S2.7, S3.35
  @Test func `merge subscribes to its upstream first`() {
    #expect(
      marbles("1-2", states: "+-.") { $0.merge(with: $0.scaled(by: 2)) } == """
        1-2
        +-.
        .merge(with: input()
            .scaled(by: 2.0))
        (12)-(24)
        (++)-.
        (^^)--(!!)
        """)
    let (first, second) = (MotionSubject<Int>(), MotionSubject<Int>())
    first.next(1)
    second.next(2)
    var heard: [Int] = []
    let subscription = first.asStream().merge(with: second.asStream()).subscribe { heard.append($0) }
    #expect(heard == [1, 2])
    subscription.unsubscribe()
  }
}
