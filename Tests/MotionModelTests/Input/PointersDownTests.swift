import MotionModel
import Testing

@Suite struct PointersDownTests {
  private func event(_ phase: PointerEvent.Phase, _ x: Double, id: UInt64 = 1) -> PointerEvent {
    PointerEvent(id: id, phase, at: SIMD2(x, 0), time: x)
  }

  @Test func `pointers that are down are cancelled where they were`() {
    var down = PointersDown()
    down.take(
      PointerInput("box", from: "hand", [event(.down, 1, id: 2), event(.down, 2, id: 1), event(.move, 3, id: 2)]))
    down.take(PointerInput("ball", from: "pen", [event(.down, 4)]))
    down.take(PointerInput("ball", from: "hand", [event(.down, 5), event(.up, 6)]))
    #expect(
      down.cancel(at: 9) == [
        PointerInput("ball", from: "pen", [PointerEvent(id: 1, .cancel, at: SIMD2(4, 0), time: 9)]),
        PointerInput(
          "box", from: "hand",
          [
            PointerEvent(id: 1, .cancel, at: SIMD2(2, 0), time: 9),
            PointerEvent(id: 2, .cancel, at: SIMD2(3, 0), time: 9),
          ]),
      ])
    #expect(down.isEmpty && down.cancel(at: 10).isEmpty)
  }

  @Test func `pointers that only moved or were cancelled are not down`() {
    var down = PointersDown()
    down.take(PointerInput("ball", from: "hand", [event(.move, 1), event(.down, 2, id: 2), event(.cancel, 3, id: 2)]))
    #expect(down.isEmpty)
  }

  @Test func `many pointers are cancelled in messages of the allowed size`() {
    var down = PointersDown()
    for id in 0..<1500 { down.take(PointerInput("ball", from: "wall", [event(.down, 1, id: UInt64(id))])) }
    #expect(down.count == 1500)
    #expect(down.cancel(at: 2).map(\.events.count) == [Limits.pointerEventsPerInput, 476])
  }
}
