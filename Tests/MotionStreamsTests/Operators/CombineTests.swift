import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct CombineTests {
  @Test func `flags are combined once all are known`() {
    let flags = (0..<3).map { _ in MotionSubject<Bool>() }
    var (any, all, none): ([Bool], [Bool], [Bool]) = ([], [], [])
    let streams = flags.map(\.stream)
    let subscriptions = [
      anyOf(streams).subscribe { any.append($0) }, allOf(streams).subscribe { all.append($0) },
      noneOf(streams).subscribe { none.append($0) },
    ]
    flags[0].next(true)
    flags[1].next(true)
    #expect(any.isEmpty && all.isEmpty && none.isEmpty)
    flags[2].next(true)
    flags[1].next(false)
    flags[0].next(false)
    flags[2].next(false)
    #expect(any == [true, true, true, false])
    #expect(all == [true, false, false, false])
    #expect(none == [false, false, false, true])
    for subscription in subscriptions { subscription.unsubscribe() }
    #expect(flags.allSatisfy { $0.observerCount == 0 })
  }

  @Test func `the last of both, whenever either says something`() {
    let (numbers, texts) = (MotionSubject<Int>(), MotionSubject<String>())
    var heard: [String] = []
    let subscription = combineLatest(numbers.stream, texts.stream).subscribe { heard.append("\($0)\($1)") }
    numbers.next(1)
    texts.next("a")
    numbers.next(2)
    texts.next("b")
    #expect(heard == ["1a", "2a", "2b"])
    subscription.unsubscribe()
  }

  @Test func `values while a condition holds`() {
    let condition = MotionSubject<Bool>(Metadata("condition"))
    let values = MotionSubject<Int>(Metadata("values"))
    var heard: [Int] = []
    let stream = values.stream.when(condition.stream)
    #expect(stream.metadata.debugDescription == "values()\n  .when(: condition())")
    let subscription = stream.subscribe { heard.append($0) }
    values.next(1)
    condition.next(true)
    values.next(2)
    condition.next(false)
    values.next(3)
    #expect(heard == [2])
    subscription.unsubscribe()
    #expect(condition.observerCount + values.observerCount == 0)
  }
}
