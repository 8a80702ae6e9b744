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

  /// A velocity that fades by itself leads no farther astray than its own time allows, and the value takes its time.
  // Clauses: S10.10, S13.8
  @Test func `a velocity may fade sooner than the value`() {
    let fade = HandoverFade(value: SIMD4(0.2, 0, 0, 0), velocity: SIMD4(12, 0, 0, 0), carry: 1.0 / 60)
    let joint = HandoverFade(value: SIMD4(0.2, 0, 0, 0), velocity: SIMD4(12, 0, 0, 0))
    #expect(fade.offset(at: 0).value[0] == 0.2 && fade.offset(at: 0).velocity[0] == 12)
    func highest(_ fade: HandoverFade) -> Double {
      (0...150).map { fade.offset(at: Double($0) / 1000).value[0] }.max() ?? 0
    }
    #expect(highest(fade) <= 0.2 + 4.0 / 27 / 60 * 12 && highest(joint) > 0.4)
    #expect(abs(fade.offset(at: 0.075).value[0] - 0.1) < 1e-12)
    #expect(!fade.isOver(at: 0.149) && fade.isOver(at: 0.15))
    // With the movement's end, both end.
    #expect(HandoverFade(value: SIMD4(1), velocity: SIMD4(1), remaining: 0.01, carry: 0.1).duration == 0.01)
  }

  /// What is left after a while fades as it would have.
  @Test(arguments: [0.0, 0.01, 0.02, 0.1, 0.15])
  func `the rest of a fade is a fade`(elapsed: Double) {
    let fade = HandoverFade(value: SIMD4(3, -1, 0, 0), velocity: SIMD4(12, 40, 0, 0), carry: 1.0 / 60)
    let parts = fade.left(at: elapsed)
    #expect(parts.count == (elapsed < 1.0 / 60 ? 2 : elapsed < 0.15 ? 1 : 0))
    for later in [0, 0.002, 0.04, 0.2] {
      let whole = fade.offset(at: elapsed + later)
      let rest = parts.map { $0.sample(at: later) }.reduce((value: SIMD4<Double>.zero, velocity: SIMD4<Double>.zero)) {
        ($0.value + $1.value, $0.velocity + $1.velocity)
      }
      for lane in 0..<4 {
        #expect(abs(whole.value[lane] - rest.value[lane]) < 1e-12)
        #expect(abs(whole.velocity[lane] - rest.velocity[lane]) < 1e-9)
      }
    }
  }
}
