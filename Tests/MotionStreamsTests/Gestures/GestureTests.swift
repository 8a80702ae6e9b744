import MotionModel
import MotionStreams
import Testing

@Suite struct GestureTests {
  private func event(_ phase: PointerEvent.Phase, _ x: Double = 0, time: Double = 0) -> PointerEvent {
    PointerEvent(id: 1, phase, at: SIMD2(x, 0), time: time)
  }

  // Clauses: S6.16
  @Test func `observers receive each change in order of subscription`() {
    let gesture = Gesture(TranslationGestureRecognizer())
    var heard: [String] = []
    let first = gesture.subscribe { heard.append("1 \($0.state)") }
    let second = gesture.subscribe { heard.append("2 \($0.state)") }
    gesture.handle(event(.down))
    gesture.handle(event(.move, 10))
    #expect(heard == [])
    gesture.handle(event(.move, 20))
    second.unsubscribe()
    gesture.handle(event(.move, 25))
    gesture.handle(event(.up, 25))
    #expect(heard == ["1 began", "2 began", "1 changed", "1 ended"])
    #expect(gesture.state == .possible)
    first.unsubscribe()
    gesture.handle(event(.down))
    gesture.cancel()
    #expect(heard.count == 4)
  }

  // Clauses: S6.16
  @Test func `the recognizer has the state of the event when observers are called`() {
    let gesture = Gesture(TranslationGestureRecognizer(slop: 0))
    var ways: [Double] = []
    let subscription = gesture.subscribe { ways.append($0.recognizer.translation.x) }
    gesture.handle(event(.down))
    gesture.handle(event(.move, 5))
    gesture.handle(event(.up, 7))
    #expect(ways == [0, 5, 7])
    subscription.unsubscribe()
  }

  // Clauses: S6.16
  @Test func `events caused by observers wait until all observers were called`() {
    let gesture = Gesture(TranslationGestureRecognizer(slop: 0))
    var heard: [String] = []
    let first = gesture.subscribe {
      heard.append("1 \($0.state)")
      if $0.state == .changed { $0.cancel() }
    }
    let second = gesture.subscribe { heard.append("2 \($0.state)") }
    gesture.handle(event(.down))
    gesture.handle(event(.move, 5))
    #expect(heard == ["1 began", "2 began", "1 changed", "2 changed", "1 cancelled", "2 cancelled"])
    first.unsubscribe()
    second.unsubscribe()
  }

  // Clauses: S6.16
  @Test func `a chain of events caused by observers ends at a limit`() {
    let gesture = Gesture(TranslationGestureRecognizer(slop: 0))
    var heard = 0
    let subscription = gesture.subscribe {
      heard += 1
      // Without this limit, a missing end would make the test endless.
      if heard < 5000 { $0.handle(event(.move, Double(heard))) }
    }
    gesture.handle(event(.down))
    #expect(heard == 1 + Gesture<TranslationGestureRecognizer>.mostCaused)
    heard = 4990
    gesture.handle(event(.move, -1))
    #expect(heard == 5000, "the next event may cause as many again")
    subscription.unsubscribe()
  }

  // Clauses: S6.16
  @Test func `events caused at once by an observer are limited`() {
    let gesture = Gesture(TranslationGestureRecognizer(slop: 0))
    var heard = 0
    let subscription = gesture.subscribe {
      heard += 1
      guard heard == 1 else { return }
      for number in 1...20_000 { $0.handle(event(.move, Double(number))) }
    }
    gesture.handle(event(.down))
    #expect(heard == 1 + Gesture<TranslationGestureRecognizer>.mostCaused)
    subscription.unsubscribe()
  }

  @Test func `an observer that is unsubscribed during a change is not called`() {
    let gesture = Gesture(TranslationGestureRecognizer(slop: 0))
    var heard: [String] = []
    var second: Subscription?
    let first = gesture.subscribe {
      heard.append("1 \($0.state)")
      second?.unsubscribe()
    }
    second = gesture.subscribe { heard.append("2 \($0.state)") }
    gesture.handle(event(.down))
    #expect(heard == ["1 began"])
    first.unsubscribe()
  }

  @Test func `a gesture is not kept alive by its observers`() {
    weak var released: Gesture<TapGestureRecognizer>?
    var subscription: Subscription?
    do {
      let gesture = Gesture(TapGestureRecognizer())
      released = gesture
      subscription = gesture.subscribe { _ in }
    }
    #expect(released == nil)
    subscription?.unsubscribe()
  }
}
