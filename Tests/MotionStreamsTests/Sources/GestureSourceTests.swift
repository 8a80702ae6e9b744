import MotionModel
import MotionStreams
import Testing

@Suite struct GestureSourceTests {
  private let gesture = Gesture(TranslationGestureRecognizer(slop: 10))

  private func tell(_ phase: PointerEvent.Phase, _ x: Double = 0) {
    gesture.handle(PointerEvent(id: 1, phase, at: SIMD2(x, 0), time: 0))
  }

  // Clauses: S5.18
  @Test func `gestureSource emits at once and on each change`() {
    var heard: [String] = []
    let subscription = gestureSource(gesture).subscribe(
      next: { heard.append("\($0.state)") }, state: { heard.append("· \($0)") })
    #expect(heard == ["possible", "· atRest"])
    tell(.down)
    tell(.move, 20)
    tell(.move, 21)
    tell(.move, 22)
    tell(.up, 22)
    #expect(heard.dropFirst(2) == ["· active", "began", "changed", "changed", "ended", "· atRest"])
    tell(.down)
    tell(.cancel)
    #expect(heard.dropFirst(8) == ["failed"])
    subscription.unsubscribe()
    tell(.down)
    tell(.move, 20)
    #expect(heard.count == 9)
  }

  // Clauses: S5.18
  @Test func `a late subscriber gets the state of a gesture under way`() {
    tell(.down)
    tell(.move, 20)
    var heard: [String] = []
    let subscription = gestureSource(gesture).subscribe(
      next: { heard.append("\($0.state)") }, state: { heard.append("· \($0)") })
    #expect(heard == ["· active", "began"])
    subscription.unsubscribe()
  }

  @Test func `gestureSource keeps its gesture only while subscribed`() {
    weak var released: Gesture<TapGestureRecognizer>?
    do {
      let tap = Gesture(TapGestureRecognizer())
      released = tap
      let stream = gestureSource(tap)
      let subscription = stream.subscribe { _ in }
      subscription.unsubscribe()
    }
    #expect(released == nil)
  }
}
