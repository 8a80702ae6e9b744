import MotionPhysics
import Testing

@Suite struct CoastingTests {
  // Clauses: S10.12
  @Test func `a late driver's velocity fades over four frames with its integral as value`() {
    var late = Coasting(value: SIMD4(100, 0, 0, 0), velocity: SIMD4(80, -8, 0, 0))
    let expected: [(value: SIMD4<Double>, velocity: SIMD4<Double>)] = [
      (SIMD4(107, -0.7, 0, 0), SIMD4(60, -6, 0, 0)), (SIMD4(112, -1.2, 0, 0), SIMD4(40, -4, 0, 0)),
      (SIMD4(115, -1.5, 0, 0), SIMD4(20, -2, 0, 0)), (SIMD4(116, -1.6, 0, 0), .zero),
    ]
    for (value, velocity) in expected {
      #expect(!late.isDone)
      let got = late.advance(dt: 0.1)
      #expect((got.value - value).largestMagnitude < 1e-13)
      #expect(got.velocity == velocity)
      #expect(late.value == got.value && late.velocity == got.velocity)
    }
    #expect(late.isDone)
    let last = late.value
    #expect(late.advance(dt: 0.1).value == last)
    #expect(late.velocity == .zero)
  }
}
