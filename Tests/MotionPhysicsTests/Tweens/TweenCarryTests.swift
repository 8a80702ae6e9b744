import MotionPhysics
import Testing

/// The blending out of an inherited velocity: its duration, and the excursion that it causes.
@Suite struct TweenCarryTests {
  /// A tween with and without the velocity that it inherits.
  struct Case: CustomStringConvertible {
    let plain: TweenCurve
    let curve: TweenCurve
    let inherited: SIMD4<Double>

    /// The difference of the velocities at the start.
    var difference: SIMD4<Double> { inherited - plain.sample(at: 0).velocity }

    /// A: the distance of the farthest keyframe from the first.
    var reach: Double {
      curve.keyframes.values.map { Self.length($0 - curve.keyframes.values[0]) }.max() ?? 0
    }

    /// T, by the specification.
    var time: Double {
      let velocity = Self.length(difference)
      guard velocity > 0, curve.duration > 0 else { return 0 }
      return min(curve.duration, max(1.0 / 60, min(0.15, reach / (2 * velocity))))
    }

    var farthest: Double { max(0.075 * reach, 0.0025 * Self.length(difference)) }

    var description: String {
      "\(curve.keyframes), duration \(curve.duration), delay \(curve.delay), \(curve.repeatCount) times, from \(inherited)"
    }

    init(
      _ keyframes: Keyframes, duration: Double, delay: Double, repeatCount: Double, _ inherited: SIMD4<Double>
    ) throws {
      self.inherited = inherited
      plain = try TweenCurve(keyframes: keyframes, duration: duration, delay: delay, repeatCount: repeatCount)
      curve = try TweenCurve(
        keyframes: keyframes, duration: duration, delay: delay, repeatCount: repeatCount, inheritedVelocity: inherited)
    }

    static func random(_ random: inout SeededGenerator) throws -> Case {
      let lanes = Int.random(in: 1...4, using: &random)
      let size = random.logarithmic(1e-6...1e6)
      // One in eight has no distance.
      let range = Int.random(in: 0..<8, using: &random) == 0 ? 0...0 : -size...size
      let values = (0..<Int.random(in: 2...5, using: &random)).map { _ in random.vector(lanes: lanes, in: range) }
      let timing: [TimingFunction] = [
        .linear, .ease, .easeIn, .easeOut, .easeInOut, try .cubicBezier(0, 1, 0, 1), try .cubicBezier(0.5, -2, 0.5, 3),
      ]
      let speed = random.logarithmic(1e-6...1e7)
      return try Case(
        Keyframes(values: values, timings: [timing.randomElement(using: &random) ?? .linear]),
        duration: random.logarithmic(1e-3...100), delay: Bool.random(using: &random) ? random.double(0...0.3) : 0,
        repeatCount: [1, 1.5, 2, .infinity].randomElement(using: &random) ?? 1,
        random.vector(lanes: lanes, in: -speed...speed))
    }

    static func length(_ vector: SIMD4<Double>) -> Double { (vector * vector).sum().squareRoot() }
  }

  // Clauses: S13.2, S13.3, S13.7, S13.8
  @Test func `a random tween inherits the velocity, strays no further than stated, and ends exactly`()
    throws
  {
    var random = SeededGenerator.fromEnvironment()
    for _ in 0..<4000 {
      let tween = try Case.random(&random)
      let (curve, plain) = (tween.curve, tween.plain)
      #expect(curve.sample(at: 0).value == plain.sample(at: 0).value, "\(tween)")
      let rounding = 1e-12 * (Case.length(tween.difference) + Case.length(tween.inherited))
      #expect((curve.sample(at: 0).velocity - tween.inherited).largestMagnitude <= rounding, "\(tween)")
      #expect(abs((curve.carry?.duration ?? 0) - tween.time) <= 1e-9 * tween.time, "\(tween)")
      var furthest = 0.0
      for index in 0...200 {
        let elapsed = tween.time * Double(index) / 180
        let difference = curve.sample(at: elapsed).value - plain.sample(at: elapsed).value
        furthest = max(furthest, Case.length(difference))
        if elapsed >= (curve.carry?.duration ?? 0) {
          #expect(curve.sample(at: elapsed) == plain.sample(at: elapsed), "\(tween) at \(elapsed)")
        }
      }
      // Values as large as a million are rounded by a ten-billionth.
      #expect(furthest <= tween.farthest + 1e-9 * tween.reach, "\(tween): \(furthest)")
      #expect(curve.sample(at: curve.totalDuration) == plain.sample(at: plain.totalDuration), "\(tween)")
    }
  }

  /// The velocity that is added, against differences of the value that is added: the curve itself has corners.
  // Clauses: S13.2
  @Test func `the blend's velocity is the derivative of its value`() throws {
    var random = SeededGenerator.fromEnvironment()
    for _ in 0..<500 {
      guard let carry = try Case.random(&random).curve.carry else { continue }
      let h = carry.duration * 1e-5
      for step in 1..<40 {
        let elapsed = carry.duration * Double(step) / 40
        let slope = (carry.sample(at: elapsed + h).value - carry.sample(at: elapsed - h).value) / (2 * h)
        let difference = slope - carry.sample(at: elapsed).velocity
        #expect(difference.largestMagnitude <= 1e-8 * Case.length(carry.velocity), "\(carry)")
      }
    }
  }

  /// A, Δv, duration → T.
  static let times: [(reach: Double, velocity: Double, duration: Double, time: Double)] = [
    // A long way for the velocity: as long as a hand-over takes.
    (100, 50, 2, 0.15), (15, 50, 2, 0.15),
    // A / (2 Δv).
    (1, 10, 2, 0.05), (1, -10, 2, 0.05),
    // No shorter than 1/60 s, but where the tween is.
    (0.1, 10, 2, 1.0 / 60), (0, 10, 2, 1.0 / 60), (100, 50, 0.1, 0.1), (0, 10, 0.01, 0.01),
  ]

  // Clauses: S13.7
  @Test(arguments: times)
  func `the blend time follows the formula`(reach: Double, velocity: Double, duration: Double, time: Double) throws {
    // Eased in, so that the tween's own velocity is 0.
    let keyframes = try Keyframes(values: [SIMD4(5), SIMD4(5 + reach)], timings: [.easeIn])
    for delay in [0, 0.02, 3] {
      let curve = try TweenCurve(
        keyframes: keyframes, duration: duration, delay: delay, inheritedVelocity: SIMD4(velocity))
      let blended = try #require(curve.carry?.duration)
      #expect(abs(blended - time) < 1e-15)
    }
    #expect(try TweenCurve(keyframes: keyframes, duration: duration, inheritedVelocity: .zero).carry == nil)
    #expect(try TweenCurve(keyframes: keyframes, duration: 0, inheritedVelocity: SIMD4(velocity)).carry == nil)
  }

  /// One T for all lanes, by their common length; and the farthest keyframe counts, not the last.
  // Clauses: S13.7
  @Test func `all lanes and the farthest keyframe determine the blend's duration`() throws {
    let keyframes = try Keyframes(
      values: [SIMD4(1, 1, 0, 0), SIMD4(4, 5, 0, 0), SIMD4(1, 1, 0, 0)], timings: [.easeIn])
    let curve = try TweenCurve(keyframes: keyframes, duration: 2, inheritedVelocity: SIMD4(15, -20, 0, 0))
    #expect(curve.carry?.duration == 0.1)
  }

  @Test func `the largest numbers give a finite blend duration`() throws {
    let huge = SIMD4<Double>(repeating: .greatestFiniteMagnitude)
    for (first, last, velocity) in [
      (-huge, huge, huge), (huge, huge, huge), (.zero, huge, SIMD4(.leastNonzeroMagnitude)),
    ] {
      let curve = try TweenCurve(
        keyframes: Keyframes(values: [first, last]), duration: 2, delay: 1, inheritedVelocity: velocity)
      let time = try #require(curve.carry?.duration)
      #expect((1.0 / 60...0.15).contains(time))
    }
  }
}
