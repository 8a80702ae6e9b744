import MotionStreams
import Testing

struct SubscriptionTests {
  // Clauses: S1.2
  @Test func `it ends once, when asked to or when it is released`() {
    var ends = 0
    let subscription = Subscription { ends += 1 }
    #expect(subscription.isSubscribed)
    subscription.unsubscribe()
    subscription.unsubscribe()
    #expect(ends == 1 && !subscription.isSubscribed)
    do { _ = Subscription { ends += 1 } }
    #expect(ends == 2)
  }

  // Clauses: S1.1
  @Test func `connect runs once for each subscription`() {
    var (connects, disconnects) = (0, 0)
    let stream = MotionObservable<Int>(Metadata("source")) { _ in
      connects += 1
      return { disconnects += 1 }
    }
    #expect(connects == 0, "cold")
    let subscriptions = (0..<3).map { _ in stream.subscribe { _ in } }
    #expect(connects == 3 && disconnects == 0)
    for subscription in subscriptions { subscription.unsubscribe() }
    #expect(disconnects == 3)
  }

  // Clauses: S1.3
  @Test func `who leaves while a value is on its way hears nothing more`() {
    let subject = MotionSubject<Int>()
    var heard: [String] = []
    var (second, third): (Subscription?, Subscription?)
    let first = subject.stream.subscribe {
      heard.append("first \($0)")
      second?.unsubscribe()
      third?.unsubscribe()
    }
    second = subject.stream._map(Metadata("mapped")) { $0 }.subscribe { heard.append("second \($0)") }
    // A source that does not look who has gone.
    var told: MotionObserver<Int>?
    let careless = MotionObservable<Int>(Metadata("careless")) { observer in
      told = observer
      return noopDisconnect
    }
    third = careless.subscribe(observer: MotionObserver(next: { heard.append("third \($0)") }))
    subject.next(1)
    subject.next(2)
    told?.next(3)
    #expect(heard == ["first 1", "first 2"])
    first.unsubscribe()
    #expect(subject.observerCount == 0)
  }

  // Clauses: S1.3
  @Test func `who leaves at the first of several values of one source hears no second`() {
    let source = MotionObservable<Int>(Metadata("source")) { observer in
      for value in 1...3 { observer.next(value) }
      return noopDisconnect
    }
    let later = MotionSubject<Void>()
    var heard: [Int] = []
    var subscription: Subscription?
    subscription = later.stream._nextOperator(Metadata("three")) { (next: @escaping (Int) -> Void) in
      { _ in for value in 1...3 { next(value) } }
    }.subscribe {
      heard.append($0)
      subscription?.unsubscribe()
    }
    later.next(())
    #expect(heard == [1])
    #expect(source._read() == 3)
  }

  // Clauses: S1.4
  @Test func `a subscription does not keep its stream, but a stream keeps what it comes from`() {
    weak var source: MotionObservable<Int>?
    var derived: MotionObservable<Int>?
    var subscription: Subscription?
    do {
      let stream = MotionObservable<Int>(Metadata("source")) { _ in noopDisconnect }
      source = stream
      derived = stream.dedupe()
      subscription = derived?.subscribe { _ in }
    }
    #expect(source != nil)
    derived = nil
    #expect(source == nil && subscription?.isSubscribed == true)
    subscription?.unsubscribe()
  }
}
