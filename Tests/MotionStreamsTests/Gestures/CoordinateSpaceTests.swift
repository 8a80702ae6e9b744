import MotionStreams
import Testing

@Suite struct CoordinateSpaceTests {
  @Test func `the surface's space changes nothing`() {
    #expect(CoordinateSpace.surface.place(of: Point(3, 4)) == Point(3, 4))
    #expect(CoordinateSpace.surface.way(of: Point(3, 4)) == Point(3, 4))
  }

  @Test func `a coordinate space is evaluated each time`() {
    var origin = Point(10, 20)
    let space = CoordinateSpace("card", origin: { origin }, rotation: { .pi / 2 }, scale: { 2 })
    // A quarter turn from x towards y: movement along y of the surface is along x of the card.
    #expect(isClose(space.place(of: Point(10, 24)), Point(2, 0)))
    #expect(isClose(space.way(of: Point(4, 0)), Point(0, -2)))
    origin = Point(10, 24)
    #expect(isClose(space.place(of: Point(10, 24)), .zero))
  }
}
