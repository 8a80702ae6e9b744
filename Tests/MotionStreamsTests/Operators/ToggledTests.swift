import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ToggledTests {
  private let original = MotionSubject<Int>(Metadata("original"))
  private let preferred = MotionSubject<Int>(Metadata("preferred"))

  // Clauses: S3.12, S3.13, S3.15, S3.16
  @Test func `toggled emits the preferred stream while it is active, and the original while it rests`() {
    #expect(
      marbles(.numbers("1-234-56-7-", states: "--+----.---"), .numbers("8----9--4-3", states: "-..-+---.-.")) {
        $0.toggled(with: $1)
      } == """
        1-234-56-7-
        --+----.---
        8----9--4-3
        -..-+---.-.
        .toggled(with: other())
        --2349--47-
        --+-+------
        -^--!---^--!
        ^----------!
        """)
  }

  // Clauses: S3.14
  @Test func `toggled reports that the preferred is active before it leaves the original`() {
    var heard: [String] = []
    let spring = MotionObservable<Int>(Metadata("spring")) { _ in { heard.append("let go") } }
    let subscription = spring.toggled(with: preferred.asStream()).subscribe(
      next: { _ in }, state: { heard.append($0 == .active ? "+" : ".") })
    preferred.state(.atRest)
    preferred.state(.active)
    #expect(heard == ["+", "let go"])
    subscription.unsubscribe()
  }

  // Clauses: S3.14
  @Test func `toggled drops what the original emits while it is unsubscribed`() {
    var heard: [String] = []
    let stubborn = MotionObservable<Int>(Metadata("stubborn")) { observer in
      observer.state(.active)
      return {
        observer.next(9)
        observer.state(.atRest)
      }
    }
    let subscription = stubborn.toggled(with: preferred.asStream()).subscribe(
      next: { heard.append("\($0)") }, state: { heard.append($0 == .active ? "+" : ".") })
    preferred.state(.atRest)
    preferred.state(.active)
    #expect(heard == ["+", "+"], "no rest in the middle of a drag")
    subscription.unsubscribe()
  }

  // Clauses: S3.16
  @Test func `unsubscribing during the original's first value leaves no connection`() {
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

  // Clauses: S3.16
  @Test func `repeated rests during the subscription to the original leave one connection`() {
    var (connections, total) = (0, 0)
    var told: MotionObserver<Int>?
    let careless = MotionObservable<Int>(Metadata("careless")) { observer in
      told = observer
      return noopDisconnect
    }
    let answering = MotionObservable<Int>(Metadata("answering")) { observer in
      (connections, total) = (connections + 1, total + 1)
      if total == 1 { told?.state(.atRest) }
      if total == 2 { [.active, .atRest].forEach { told?.state($0) } }
      observer.next(total)
      return { connections -= 1 }
    }
    var heard: [Int] = []
    let subscription = answering.toggled(with: careless).subscribe { heard.append($0) }
    told?.state(.atRest)
    #expect((connections, total) == (1, 1), "a second rest changes nothing")
    told?.state(.active)
    told?.state(.atRest)
    #expect((connections, total) == (1, 3), "what began before the preferred went to work begins anew")
    #expect(heard == [1, 3])
    subscription.unsubscribe()
    #expect(connections == 0)
  }

  // Clauses: S2.7
  @Test func `the metadata contains the call with its argument`() {
    let stream = original.asStream().toggled(with: preferred.asStream().rewriteTo(1))
    #expect(
      stream.metadata.debugDescription == """
        original()
          .toggled(with: preferred()
            .rewriteTo(: 1))
        """)
  }
}
