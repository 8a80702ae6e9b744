import MotionStreams
import Testing

struct SubscriptionTests {
  // Clauses: S1.2
  @Test func `a subscription ends once, by unsubscribe or by its release`() {
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
  @Test func `an observer that unsubscribes during a value gets no more values`() {
    let subject = MotionSubject<Int>()
    var heard: [String] = []
    var (second, third): (Subscription?, Subscription?)
    let first = subject.asStream().subscribe {
      heard.append("first \($0)")
      second?.unsubscribe()
      third?.unsubscribe()
    }
    second = subject.asStream()._map(Metadata("mapped")) { $0 }.subscribe { heard.append("second \($0)") }
    // A source that does not check which observers have unsubscribed.
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
  @Test func `an observer that unsubscribes at the first of several values gets no second`() {
    let source = MotionObservable<Int>(Metadata("source")) { observer in
      for value in 1...3 { observer.next(value) }
      return noopDisconnect
    }
    let later = MotionSubject<Void>()
    var heard: [Int] = []
    var subscription: Subscription?
    subscription = later.asStream()._nextOperator(Metadata("three")) { (next: @escaping (Int) -> Void) in
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
  @Test func `a subscription does not keep its stream, but a stream keeps its upstream`() {
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

  /// A third-party source, which keeps its listeners by identity.
  private final class Knob {
    var listeners: [ObjectIdentifier: (Double) -> Void] = [:]
  }

  private final class KnobSubscription: Subscription {
    private let knob: Knob
    private(set) var ends = 0

    init(_ knob: Knob, _ observer: MotionObserver<Double>) {
      self.knob = knob
      super.init()
      knob.listeners[ObjectIdentifier(self)] = observer.next
    }

    override func unsubscribe() {
      ends += 1
      knob.listeners[ObjectIdentifier(self)] = nil
    }
  }

  // Clauses: S1.11
  @Test func `a custom subscription is unsubscribed once, at its end or its release`() {
    let knob = Knob()
    var made: [KnobSubscription] = []
    let stream = MotionObservable<Double> { observer in
      let subscription = KnobSubscription(knob, observer)
      made.append(subscription)
      return subscription
    }
    var heard: [Double] = []
    var released: Subscription? = stream.subscribe { heard.append($0) }
    let ended = stream.subscribe { heard.append($0 * 10) }
    for listener in made.map({ ObjectIdentifier($0) }) { knob.listeners[listener]?(1) }
    #expect(heard == [1, 10])
    ended.unsubscribe()
    ended.unsubscribe()
    #expect(knob.listeners.count == 1)
    released = nil
    #expect(knob.listeners.isEmpty && made.map(\.ends) == [1, 1] && released == nil)
  }
}
