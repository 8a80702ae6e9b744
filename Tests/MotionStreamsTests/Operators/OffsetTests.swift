import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct OffsetTests {
  @Test func `each value plus an amount`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0.offset(by: 5) } == """
        1-2-3
        +---.
        .offset(by: 5.0)
        6-7-8
        +---.
        ^----!
        """)
  }

  @Test func `an amount that is a stream counts whenever either says something, once both have`() {
    let (values, amounts) = (MotionSubject<Double>(Metadata("values")), MotionSubject<Double>(Metadata("amounts")))
    var heard: [Double] = []
    let stream = values.stream.offset(by: amounts.stream)
    #expect(stream.metadata.debugDescription == "values()\n  .offset(by: amounts())")
    let subscription = stream.subscribe { heard.append($0) }
    values.next(1)
    amounts.next(10)
    values.next(2)
    amounts.next(20)
    #expect(heard == [11, 12, 22])
    subscription.unsubscribe()
    #expect(values.observerCount == 0 && amounts.observerCount == 0)
  }
}
