import MotionStreams
import Testing

struct ReactivePropertyTests {
  // Clauses: S4.1
  @Test func `an observer gets the present value at once, then every write`() {
    let property = createProperty(withInitialValue: 1)
    var heard: [Int] = []
    let subscription = property.subscribe { heard.append($0) }
    property.write(2)
    property.write(2)
    #expect(heard == [1, 2, 2] && property.read() == 2)
    subscription.unsubscribe()
    property.write(3)
    #expect(heard == [1, 2, 2])
  }

  // Clauses: S4.1
  @Test func `a property as a stream emits its present value and every write`() {
    let property = createProperty(withInitialValue: 1)
    let stream = property.asStream()
    property.write(2)
    var heard: [Int] = []
    let subscription = stream.subscribe { heard.append($0) }
    property.write(3)
    #expect(heard == [2, 3])
    subscription.unsubscribe()
  }

  // Clauses: S4.2
  @Test func `the backing is written first, then observers in order of subscription`() {
    var (stored, log) = (0, [String]())
    let property = ReactiveProperty(
      read: { stored },
      write: {
        stored = $0
        log.append("backing \($0)")
      })
    let subscriptions = (1...2).map { number in property.subscribe { log.append("\(number) hears \($0) of \(stored)") }
    }
    log = []
    property.write(7)
    #expect(log == ["backing 7", "1 hears 7 of 7", "2 hears 7 of 7"])
    for subscription in subscriptions { subscription.unsubscribe() }
  }

  // Clauses: S4.3
  @Test func `a write by an observer is delivered next, and all observers end with the newest`() {
    let property = ReactiveProperty(0)
    var (first, second): ([Int], [Int]) = ([], [])
    let subscriptions = [
      property.subscribe {
        first.append($0)
        if $0 == 1 { property.write(2) }
      },
      property.subscribe { second.append($0) },
    ]
    property.write(1)
    #expect(first == [0, 1, 2] && second == [0, 1, 2])
    for subscription in subscriptions { subscription.unsubscribe() }
  }

  // Clauses: S4.3
  @Test func `of several writes by an observer only the last is delivered`() {
    let property = ReactiveProperty(0)
    var heard: [Int] = []
    let subscriptions = [
      property.subscribe {
        guard $0 == 1 else { return }
        property.write(2)
        property.write(3)
      },
      property.subscribe { heard.append($0) },
    ]
    property.write(1)
    #expect(heard == [0, 1, 3] && property.read() == 3)
    for subscription in subscriptions { subscription.unsubscribe() }
  }

  @Test func `a value not equal to itself is delivered once`() {
    let property = ReactiveProperty(0.0)
    var count = 0
    let subscription = property.subscribe { _ in count += 1 }
    property.write(.nan)
    #expect(count == 2)
    subscription.unsubscribe()
  }

  // Clauses: S4.5
  @Test func `a cycle of properties stops when values no longer change, or at a limit`() {
    let (a, b) = (ReactiveProperty(0.0, named: "a"), ReactiveProperty(0.0, named: "b"))
    let subscriptions = [a.subscribe { b.write(min($0, 5)) }, b.subscribe { a.write(min($0 + 1, 5)) }]
    a.write(2)
    #expect(a.read() == 5 && b.read() == 5)
    for subscription in subscriptions { subscription.unsubscribe() }
    let restless = ReactiveProperty(0)
    let last = restless.subscribe { restless.write($0 + 1) }
    restless.write(1)
    #expect(restless.read() >= ReactiveProperty<Int>.mostRounds)
    last.unsubscribe()
  }

  // Clauses: S4.4
  @Test func `an observer removed during a delivery gets no more values`() {
    let property = ReactiveProperty(0)
    var heard: [Int] = []
    var second: Subscription?
    let first = property.subscribe { if $0 == 1 { second?.unsubscribe() } }
    second = property.subscribe { heard.append($0) }
    property.write(1)
    #expect(heard == [0])
    first.unsubscribe()
  }
}
