import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ToggledTests {
  private let original = MotionSubject<Int>(Metadata("original"))
  private let preferred = MotionSubject<Int>(Metadata("preferred"))

  private func listen(_ heard: @escaping (String) -> Void) -> Subscription {
    original.stream.toggled(with: preferred.stream).subscribe(
      next: { heard("\($0)") }, state: { heard($0 == .active ? "+" : ".") })
  }

  @Test func `the preferred while it is at work, the original while that rests`() {
    var heard: [String] = []
    let subscription = listen { heard.append($0) }
    #expect(preferred.observerCount == 1 && original.observerCount == 0)
    preferred.next(1)
    #expect(heard.isEmpty, "it has not said yet that it is at work")
    preferred.state(.atRest)
    #expect(original.observerCount == 1)
    preferred.state(.atRest)
    #expect(original.observerCount == 1, "two rests subscribe once")
    original.state(.active)
    original.next(2)
    preferred.next(3)
    preferred.state(.active)
    #expect(original.observerCount == 0)
    preferred.next(4)
    original.next(5)
    preferred.state(.atRest)
    // A subject says its last state and value to who subscribes.
    #expect(heard == ["+", "2", "+", "4", "+", "5"])
    subscription.unsubscribe()
    subscription.unsubscribe()
    #expect(preferred.observerCount == 0 && original.observerCount == 0)
  }

  @Test func `nothing the original says on its way out gets through`() {
    var heard: [String] = []
    let stubborn = MotionObservable<Int>(Metadata("stubborn")) { observer in
      observer.state(.active)
      return {
        observer.next(9)
        observer.state(.atRest)
      }
    }
    let subscription = stubborn.toggled(with: preferred.stream).subscribe(
      next: { heard.append("\($0)") }, state: { heard.append($0 == .active ? "+" : ".") })
    preferred.state(.atRest)
    preferred.state(.active)
    #expect(heard == ["+", "+"], "no rest in the middle of a drag")
    subscription.unsubscribe()
  }

  @Test func `who leaves at what the original says at once leaves nothing behind`() {
    var connections = 0
    let eager = MotionObservable<Int>(Metadata("eager")) { observer in
      connections += 1
      observer.next(1)
      return { connections -= 1 }
    }
    var told: MotionObserver<Int>?
    let careless = MotionObservable<Int>(Metadata("careless")) { observer in
      told = observer
      return noopDisconnect
    }
    var subscription: Subscription?
    subscription = eager.toggled(with: careless).subscribe { _ in subscription?.unsubscribe() }
    told?.state(.atRest)
    #expect(connections == 0)
    told?.state(.atRest)
    #expect(connections == 0)
  }

  @Test func `it is told with its argument`() {
    let stream = original.stream.toggled(with: preferred.stream.rewriteTo(1))
    #expect(
      stream.metadata.debugDescription == """
        original()
          .toggled(with: preferred()
            .rewriteTo(: 1))
        """)
  }
}
