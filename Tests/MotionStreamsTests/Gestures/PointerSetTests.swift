import MotionModel
import MotionStreams
import Testing

@Suite struct PointerSetTests {
  private func event(
    _ id: UInt64, _ phase: PointerEvent.Phase, _ x: Double = 0, _ y: Double = 0, time: Double = 0
  ) -> PointerEvent {
    PointerEvent(id: id, phase, at: SIMD2(x, y), time: time)
  }

  @Test func `pointers are kept in order of arrival`() {
    var pointers = PointerSet()
    #expect(pointers.isEmpty && pointers.centroid == nil)
    #expect(pointers.place(event(7, .down, 10, 0, time: 1)) == .joined)
    #expect(pointers.place(event(3, .down, 20, 8, time: 2)) == .joined)
    #expect(pointers.place(event(7, .move, 12, 2, time: 3)) == .moved(by: SIMD2(2, 2)))
    #expect(pointers.pointers.map(\.id) == [7, 3] && pointers.centroid == SIMD2(16, 5) && pointers.time == 3)
    #expect(pointers.place(event(7, .up, 13, 2, time: 4)) == .moved(by: SIMD2(1, 0)))
    #expect(pointers.count == 2)
    #expect(pointers.lift(event(7, .up, 13, 2, time: 4)) == true)
    #expect(pointers.pointers.map(\.id) == [3])
    pointers.removeAll()
    #expect(pointers.isEmpty)
  }

  // Clauses: S6.2
  @Test func `pointers that are not down are ignored`() {
    var pointers = PointerSet()
    for phase in [PointerEvent.Phase.move, .up, .cancel] {
      #expect(pointers.place(event(1, phase, 5, 5, time: 9)) == .ignored)
      #expect(pointers.lift(event(1, phase)) == false)
    }
    #expect(pointers.time == 0)
  }

  // Clauses: S6.2
  @Test func aSecondDownMovesNothing() {
    var pointers = PointerSet()
    _ = pointers.place(event(1, .down, 10))
    #expect(pointers.place(event(1, .down, 500)) == .joined)
    #expect(pointers.count == 1 && pointers.centroid == SIMD2(500, 0))
  }

  // Clauses: S6.2
  @Test func `the time of a pointer set never goes back`() {
    var pointers = PointerSet()
    _ = pointers.place(event(1, .down, time: 5))
    _ = pointers.place(event(1, .move, 3, time: 4))
    #expect(pointers.time == 5 && pointers.centroid == SIMD2(3, 0))
  }

  // Clauses: S6.3
  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e10, -1e300])
  func `an impossible place is ignored, except to lift the pointer`(place: Double) {
    var pointers = PointerSet()
    #expect(pointers.place(event(1, .down, place)) == .ignored)
    _ = pointers.place(event(1, .down, 4))
    #expect(pointers.place(event(1, .move, 0, place)) == .ignored)
    #expect(pointers.place(event(1, .up, place)) == .moved(by: .zero))
    #expect(pointers.centroid == SIMD2(4, 0))
    #expect(pointers.lift(event(1, .up, place)) == true)
  }

  // Clauses: S6.3
  @Test func `an impossible time is ignored, except to lift the pointer`() {
    var pointers = PointerSet()
    #expect(pointers.place(event(1, .down, time: .nan)) == .ignored)
    _ = pointers.place(event(1, .down, time: 1))
    #expect(pointers.place(event(1, .cancel, 9, time: .infinity)) == .moved(by: .zero))
    #expect(pointers.time == 1)
    #expect(pointers.lift(event(1, .cancel)) == true)
  }

  // Clauses: S6.4
  @Test func `pointers beyond the limit are ignored`() {
    var pointers = PointerSet()
    for id in 0..<UInt64(PointerSet.limit) { #expect(pointers.place(event(id, .down)) == .joined) }
    #expect(pointers.place(event(1000, .down)) == .ignored)
    #expect(pointers.place(event(1000, .up)) == .ignored)
    #expect(pointers.place(event(5, .down, 3)) == .joined, "one that is down may go down again")
    pointers.lift(event(5, .up))
    #expect(pointers.place(event(1000, .down)) == .joined && pointers.count == PointerSet.limit)
  }
}
