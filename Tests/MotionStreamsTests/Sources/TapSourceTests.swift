import MotionModel
import MotionStreams
import Testing

@Suite struct TapSourceTests {
  private let tap = Gesture(TapGestureRecognizer())

  private func tell(_ phase: PointerEvent.Phase, _ x: Double = 0) {
    tap.handle(PointerEvent(id: 1, phase, at: SIMD2(x, 5), time: 0))
  }

  // Clauses: S5.19
  @Test func `tapSource emits each tap between active and rest`() {
    var heard: [String] = []
    let subscription = tapSource(tap).subscribe(
      next: { heard.append("\($0.x) \($0.y)") }, state: { heard.append("\($0)") })
    #expect(heard == [])
    tell(.down, 7)
    tell(.up, 8)
    #expect(heard == ["active", "8.0 5.0", "atRest"])
    tell(.down, 0)
    tell(.move, 100)
    tell(.up, 100)
    #expect(heard.count == 3, "that was no tap")
    tell(.down, 1)
    tell(.up, 1)
    #expect(heard.dropFirst(3) == ["active", "1.0 5.0", "atRest"])
    subscription.unsubscribe()
    tell(.down)
    tell(.up)
    #expect(heard.count == 6)
  }

  // Clauses: S5.19
  @Test func `a subscriber added during a tap gets that tap`() {
    var heard: [Point] = []
    var second: Subscription?
    let first = tapSource(tap).subscribe { [tap] _ in
      if second == nil { second = tapSource(tap).subscribe { heard.append($0) } }
    }
    tell(.down, 3)
    tell(.up, 3)
    #expect(heard == [Point(3, 5)])
    first.unsubscribe()
    second?.unsubscribe()
  }
}
