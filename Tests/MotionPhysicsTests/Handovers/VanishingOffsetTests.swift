import MotionPhysics
import Testing

@Suite struct VanishingOffsetTests {
  static let offset = VanishingOffset(value: SIMD4(8, 0, -1, 0), velocity: SIMD4(0, 30, 5, 0), duration: 0.12)

  @Test func `an offset begins with value and velocity and ends at zero`() {
    let start = Self.offset.sample(at: 0)
    #expect(start.value == Self.offset.value && start.velocity == Self.offset.velocity)
    let beforeEnd = Self.offset.sample(at: 0.12 - 1e-9)
    #expect(beforeEnd.value.largestMagnitude < 1e-12 && beforeEnd.velocity.largestMagnitude < 1e-5)
    for elapsed in [0.12, 1, .infinity] {
      #expect(Self.offset.sample(at: elapsed).value == .zero && Self.offset.sample(at: elapsed).velocity == .zero)
      #expect(Self.offset.isOver(at: elapsed))
    }
    #expect(!Self.offset.isOver(at: 0.119))
  }

  @Test func velocityIsTheDerivative() {
    let h = 1e-7
    for index in 1..<119 {
      let elapsed = Double(index) * 1e-3
      let difference = Self.offset.sample(at: elapsed + h).value - Self.offset.sample(at: elapsed - h).value
      #expect((difference / (2 * h) - Self.offset.sample(at: elapsed).velocity).largestMagnitude < 1e-5)
    }
  }

  @Test func accelerationIsTheDerivativeOfTheVelocity() {
    let h = 1e-7
    for index in 1..<119 {
      let elapsed = Double(index) * 1e-3
      let difference = Self.offset.sample(at: elapsed + h).velocity - Self.offset.sample(at: elapsed - h).velocity
      #expect((difference / (2 * h) - Self.offset.acceleration(at: elapsed)).largestMagnitude < 1e-3)
    }
    #expect(Self.offset.acceleration(at: 0.12) == .zero)
    let both = HandoverFade(Self.offset, VanishingOffset(value: .zero, velocity: SIMD4(repeating: 7), duration: 0.05))
    for elapsed in [0.01, 0.04, 0.07] {
      let difference = both.offset(at: elapsed + h).velocity - both.offset(at: elapsed - h).velocity
      #expect((difference / (2 * h) - both.acceleration(at: elapsed)).largestMagnitude < 1e-3)
    }
  }

  @Test func `an offset without duration is zero`() {
    let nothing = VanishingOffset(value: SIMD4(8), velocity: SIMD4(9), duration: 0)
    #expect(nothing.sample(at: 0).value == .zero && nothing.sample(at: 0).velocity == .zero)
    #expect(nothing.isOver(at: 0))
  }

  @Test func `an offset of the longest useful duration neither passes its motion nor takes it back`() {
    // Behind a motion at rest and approaching, and ahead of one that moves on.
    for (value, velocity, motion) in [(-2.0, 30.0, 0.0), (3, -50, 0), (2, -20, 40), (-2, 10, -40), (1, 5, 40)] {
      let duration = VanishingOffset.longestUseful(
        value: SIMD4(value, 0, 0, 0), velocity: SIMD4(velocity, 0, 0, 0), ofMotionWith: SIMD4(motion, 0, 0, 0))
      let offset = VanishingOffset(
        value: SIMD4(value, 0, 0, 0), velocity: SIMD4(velocity, 0, 0, 0), duration: duration)
      for step in 0..<100 {
        let (left, speed) = offset.sample(at: duration * Double(step) / 100)
        #expect(left[0] * value >= -1e-12)
        #expect((motion + speed[0]) * motion >= 0, "ahead, it waits at most")
      }
    }
    let nothing = VanishingOffset.longestUseful(value: .zero, velocity: .zero, ofMotionWith: .zero)
    #expect(nothing == 0)
    #expect(
      VanishingOffset.longestUseful(value: SIMD4(1, 0, 0, 0), velocity: .zero, ofMotionWith: .zero) == .infinity)
  }
}
