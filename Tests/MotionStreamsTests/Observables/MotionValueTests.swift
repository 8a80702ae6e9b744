import MotionStreams
import Testing

struct MotionValueTests {
  // Clauses: S1.10
  @Test func `values convert to lanes and back`() {
    #expect(Double(lanes: 3.0.lanes) == 3 && Point(lanes: Point(1, 2).lanes) == [1, 2])
    let three = SIMD3<Double>(1, 2, 3)
    #expect(SIMD3<Double>(lanes: three.lanes) == three)
    let four = SIMD4<Double>(1, 2, 3, 4)
    #expect(SIMD4<Double>(lanes: four.lanes) == four)
    #expect([Double.laneCount, Point.laneCount, SIMD3<Double>.laneCount, SIMD4<Double>.laneCount] == [1, 2, 3, 4])
  }
}
