import MotionStreams
import Testing

struct MotionSubjectTests {
  // Clauses: S1.7
  @Test func `a late subscriber gets the last state and then the last value`() {
    let subject = MotionSubject<Int?>()
    var early: [Int?] = []
    let first = subject.asStream().subscribe { early.append($0) }
    #expect(early.isEmpty)
    subject.state(.active)
    subject.next(1)
    subject.next(nil)
    var (late, states): ([Int?], [MotionState]) = ([], [])
    let second = subject.asStream().subscribe(
      next: {
        #expect(states == [.active], "the state first")
        late.append($0)
      }, state: { states.append($0) })
    #expect(early == [1, nil] && late == [nil], "nil is a value like any other")
    #expect(states == [.active])
    subject.next(2)
    #expect(early.last == .some(2) && late.last == .some(2))
    first.unsubscribe()
    second.unsubscribe()
    #expect(subject.observerCount == 0)
  }

  // Clauses: S1.7
  @Test func `a subject can be subscribed to directly`() {
    let subject = MotionSubject<Int>(Metadata("numbers"))
    var (values, states): ([Int], [MotionState]) = ([], [])
    let subscription = subject.subscribe(next: { values.append($0) }, state: { states.append($0) })
    subject.state(.active)
    subject.next(1)
    let late = subject.subscribe { values.append(10 * $0) }
    #expect(values == [1, 10] && states == [.active] && subject.metadata.debugDescription == "numbers()")
    subscription.unsubscribe()
    late.unsubscribe()
    #expect(subject.observerCount == 0)
  }

  // Clauses: S1.8
  @Test func `a subscriber added during a value gets that value once`() {
    let subject = MotionSubject<Int>()
    var (outer, inner): ([Int], [Int]) = ([], [])
    var subscriptions: [Subscription] = []
    subscriptions.append(
      subject.asStream().subscribe {
        outer.append($0)
        guard subscriptions.count == 1 else { return }
        subscriptions.append(subject.asStream().subscribe { inner.append($0) })
      })
    subject.next(1)
    #expect(inner == [1], "as the last that was said, once")
    subject.next(2)
    #expect(outer == [1, 2] && inner == [1, 2])
    subscriptions = []
    #expect(subject.observerCount == 0)
  }

  // Clauses: S1.8
  @Test func `values sent by an observer are delivered after the present one, to all observers`() {
    let subject = MotionSubject<Int>()
    let shared = subject.asStream()._remember()
    var (heard, late): ([Int], [Int]) = ([], [])
    var third: Subscription?
    let first = shared.subscribe {
      guard $0 == 1 else { return }
      subject.next(2)
      subject.next(3)
      // Receives the newest value at once, and not again the earlier ones.
      third = subject.asStream().subscribe { late.append($0) }
    }
    let second = shared.subscribe { heard.append($0) }
    subject.next(1)
    #expect(heard == [1, 2, 3] && late == [3])
    subject.next(4)
    #expect(heard.last == 4 && late == [3, 4])
    first.unsubscribe()
    second.unsubscribe()
    third?.unsubscribe()
  }

  // Clauses: S1.9
  @Test func `an endless feedback through a subject is cut off`() {
    let subject = MotionSubject<Int>()
    var last = 0
    let subscription = subject.asStream().subscribe {
      last = $0
      subject.next($0 + 1)
    }
    subject.next(1)
    #expect(last > 100 && last < 10_000)
    subscription.unsubscribe()
  }

  @Test func `a subject's next may be called after its release`() {
    var next: ((Int) -> Void)?
    do {
      let subject = MotionSubject<Int>()
      next = subject.next
    }
    next?(1)
  }

  /// An object that an observer keeps alive.
  private final class Held {}

  @Test func `an observer's captures are released with it, at the latest after the present value`() {
    let subject = MotionSubject<Int>()
    weak var held: Held?
    func listen(_ heard: @escaping (Int) -> Void) -> Subscription {
      let new = Held()
      held = new
      return subject.asStream().subscribe { value in withExtendedLifetime(new) { heard(value) } }
    }
    let quiet = listen { _ in }
    subject.next(1)
    #expect(held != nil)
    quiet.unsubscribe()
    #expect(held == nil)

    var subscription: Subscription?
    var (heard, wasHeld): ([Int], Bool) = ([], false)
    subscription = listen {
      heard.append($0)
      guard $0 == 2 else { return }
      subscription?.unsubscribe()
      wasHeld = held != nil
    }
    subject.next(2)
    subject.next(3)
    #expect(heard == [1, 2] && wasHeld && held == nil && subject.observerCount == 0)
  }
}
