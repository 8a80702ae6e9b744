import MotionPhysics
import Testing

@Suite struct TweenCurveTests {
  static func keyframes(_ timing: TimingFunction = .ease) throws -> Keyframes {
    try Keyframes(values: [SIMD4(10, 0, 0, 0), SIMD4(30, -4, 0, 0)], timings: [timing])
  }

  @Test func `a tween begins at the first value and ends exactly at the last`() throws {
    let curve = try TweenCurve(keyframes: Self.keyframes(), duration: 0.3)
    #expect(curve.sample(at: 0).value == SIMD4(10, 0, 0, 0))
    for elapsed in [0.3, 0.4, 1e9, .infinity] {
      #expect(
        curve.sample(at: elapsed) == TweenSample(value: SIMD4(30, -4, 0, 0), velocity: .zero, isFinished: true))
    }
    #expect(!curve.sample(at: 0.3.nextDown).isFinished)
    #expect(curve.totalDuration == 0.3)
    #expect(abs(curve.remaining(at: 0.1) - 0.2) < 1e-15)
    #expect(curve.remaining(at: 5) == 0)
  }

  /// Analytic against central differences, over delay, passes, both ways, and with a carried velocity.
  // Clauses: S13.2
  @Test(arguments: [false, true], [nil, SIMD4<Double>(-300, 40, 0, 0)])
  func velocityIsTheDerivativeOfTheValue(autoreverses: Bool, inherited: SIMD4<Double>?) throws {
    let curve = try TweenCurve(
      keyframes: Self.keyframes(.easeInOut), duration: 0.4, delay: 0.1, repeatCount: 2.5, autoreverses: autoreverses,
      inheritedVelocity: inherited)
    let h = 1e-7
    for index in 1..<1100 {
      let elapsed = Double(index) * 1e-3 + 0.0004
      let difference = curve.sample(at: elapsed + h).value - curve.sample(at: elapsed - h).value
      #expect((difference / (2 * h) - curve.sample(at: elapsed).velocity).largestMagnitude < 2e-4, "at \(elapsed)")
    }
  }

  // Clauses: S5.17
  @Test func delayHoldsTheFirstValue() throws {
    let curve = try TweenCurve(keyframes: Self.keyframes(.linear), duration: 1, delay: 2)
    #expect(curve.sample(at: 1.9) == TweenSample(value: SIMD4(10, 0, 0, 0), velocity: .zero, isFinished: false))
    #expect(curve.sample(at: 2.5).value == SIMD4(20, -2, 0, 0))
    #expect(curve.sample(at: 2.5).velocity == SIMD4(20, -4, 0, 0))
    #expect(curve.totalDuration == 3)
  }

  /// repeatCount, autoreverses → the first lane's values at 0.25, 1.25, 2.25 and the final one.
  // Clauses: S5.17
  @Test(arguments: [
    (1.0, false, [15.0, 30, 30, 30]), (3, false, [15, 15, 15, 30]), (3, true, [15, 25, 15, 30]),
    (2, true, [15, 25, 10, 10]), (2.25, true, [15, 25, 15, 15]), (1.25, true, [15, 25, 25, 25]),
    (1.25, false, [15, 15, 15, 15]), (2, false, [15, 15, 30, 30]),
  ])
  func passesRepeatAndReverse(repeatCount: Double, autoreverses: Bool, expected: [Double]) throws {
    let curve = try TweenCurve(
      keyframes: Self.keyframes(.linear), duration: 1, repeatCount: repeatCount, autoreverses: autoreverses)
    let values = [0.25, 1.25, 2.25, 99].map { curve.sample(at: $0).value[0] }
    #expect(values == expected)
    #expect(curve.sample(at: repeatCount).isFinished)
  }

  @Test func anEndlessTweenNeverFinishes() throws {
    let curve = try TweenCurve(
      keyframes: Self.keyframes(.linear), duration: 1, repeatCount: .infinity, autoreverses: true)
    #expect(curve.totalDuration == .infinity)
    #expect(curve.remaining(at: 1e6) == .infinity)
    #expect(curve.sample(at: 1_000_000.25).value[0] == 15)
    #expect(curve.sample(at: 1_000_001.25).value[0] == 25)
    #expect(curve.sample(at: 1_000_001.25).velocity[0] == -20)
  }

  @Test func `a duration of zero jumps to the end`() throws {
    for repeatCount in [1, 4, .infinity] {
      let curve = try TweenCurve(
        keyframes: Self.keyframes(), duration: 0, delay: 0.5, repeatCount: repeatCount,
        inheritedVelocity: SIMD4(100))
      #expect(curve.sample(at: 0.4).value == SIMD4(10, 0, 0, 0))
      #expect(
        curve.sample(at: 0.5) == TweenSample(value: SIMD4(30, -4, 0, 0), velocity: .zero, isFinished: true))
    }
  }

  /// The inherited velocity is that of the first moment, and gone after 150 ms at the latest.
  // Clauses: S13.3
  @Test(arguments: [0.0, 0.1, 3], [TimingFunction.linear, .ease, .easeIn])
  func carriedVelocityIsContinuousAndFades(delay: Double, timing: TimingFunction) throws {
    let inherited = SIMD4<Double>(-30, 4, 0, 0)
    let plain = try TweenCurve(keyframes: Self.keyframes(timing), duration: 0.4, delay: delay, repeatCount: 2)
    let curve = try TweenCurve(
      keyframes: Self.keyframes(timing), duration: 0.4, delay: delay, repeatCount: 2, inheritedVelocity: inherited)
    #expect((curve.sample(at: 0).velocity - inherited).largestMagnitude < 1e-12)
    #expect(curve.sample(at: 0).value == plain.sample(at: 0).value)
    let time = try #require(curve.carry?.duration)
    #expect(time <= 0.15)
    var furthest = 0.0
    for index in 0...4000 {
      let elapsed = Double(index) * 1e-3
      let difference = curve.sample(at: elapsed).value - plain.sample(at: elapsed).value
      furthest = max(furthest, difference.largestMagnitude)
      if elapsed >= time { #expect(curve.sample(at: elapsed) == plain.sample(at: elapsed)) }
    }
    // 4/27 of Δv·T, and never more.
    let own = delay > 0 ? .zero : plain.sample(at: 0).velocity
    #expect(abs(furthest - 4.0 / 27 * time * (inherited - own).largestMagnitude) < 1e-3)
  }

  @Test(arguments: [0.0, 0.1], [TimingFunction.linear, .ease, .easeInOut])
  func `the acceleration of a tween is the derivative of its velocity`(delay: Double, timing: TimingFunction) throws {
    let curve = try TweenCurve(
      keyframes: Self.keyframes(timing), duration: 0.4, delay: delay, repeatCount: 2, autoreverses: true,
      inheritedVelocity: SIMD4(-30, 4, 0, 0))
    let (h, carried) = (1e-6, try #require(curve.carry?.duration))
    var steepest = 0.0
    for index in 1..<900 {
      let elapsed = Double(index) * 1e-3
      // The acceleration jumps between two keyframes and at the ends of delay, carry and passes.
      var corners = [carried]
      for offset in curve.keyframes.offsets { corners += [delay + 0.4 * offset, delay + 0.4 * (2 - offset)] }
      if corners.contains(where: { abs($0 - elapsed) < 2e-3 }) { continue }
      let difference = curve.sample(at: elapsed + h).velocity - curve.sample(at: elapsed - h).velocity
      let acceleration = curve.acceleration(at: elapsed)
      #expect((difference / (2 * h) - acceleration).largestMagnitude < 1e-3 * (1 + acceleration.largestMagnitude))
      steepest = max(steepest, acceleration.largestMagnitude)
    }
    #expect(steepest > 100)
    #expect(curve.acceleration(at: curve.totalDuration) == .zero)
  }

  @Test func `invalid numbers of a tween are refused`() {
    #expect(throws: TweenError.self) { try TweenCurve(keyframes: Self.keyframes(), duration: -1) }
    #expect(throws: TweenError.self) { try TweenCurve(keyframes: Self.keyframes(), duration: .infinity) }
    #expect(throws: TweenError.self) { try TweenCurve(keyframes: Self.keyframes(), duration: 1, delay: .nan) }
    #expect(throws: TweenError.self) { try TweenCurve(keyframes: Self.keyframes(), duration: 1, repeatCount: 0.5) }
    #expect(throws: TweenError.self) { try TweenCurve(keyframes: Self.keyframes(), duration: 1, repeatCount: .nan) }
    #expect(throws: TweenError.self) {
      try TweenCurve(keyframes: Self.keyframes(), duration: 1, inheritedVelocity: SIMD4(.infinity))
    }
  }
}
