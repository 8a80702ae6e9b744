import MotionPhysics
import Testing

@Suite struct HandoverFadeTests {
  /// remaining → duration.
  // Clauses: S10.10
  @Test(arguments: [(Double.infinity, 0.150), (1, 0.150), (0.04, 0.04), (0, 0), (-3, 0)])
  func `a fade takes at most 150 ms and ends with the driver`(remaining: Double, duration: Double) {
    let fade = HandoverFade(value: SIMD4(5), velocity: SIMD4(6), remaining: remaining)
    #expect(fade.duration == duration)
    #expect(fade.isOver(at: duration))
    #expect(fade.offset(at: duration).value == .zero)
  }

  /// Old driver's value and velocity plus nothing equal the new driver's plus the offset: no jump.
  @Test func nothingJumpsAtTheHandover() {
    let (old, new) = (SIMD4<Double>(10, 3, 0, 0), SIMD4<Double>(7, 5, 0, 0))
    let (oldVelocity, newVelocity) = (SIMD4<Double>(-100, 0, 0, 0), SIMD4<Double>(20, 1, 0, 0))
    let fade = HandoverFade(value: old - new, velocity: oldVelocity - newVelocity)
    #expect(new + fade.offset(at: 0).value == old)
    #expect(newVelocity + fade.offset(at: 0).velocity == oldVelocity)
    #expect(!fade.isOver(at: 0.149))
  }
}
