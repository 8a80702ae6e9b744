import Testing

@testable import MotionPhysics

@Suite struct VelocityEstimatorTests {
  /// An estimator that has received `motion` at `times`.
  private func estimator(
    _ times: some Sequence<Double>, _ motion: (Double) -> SIMD4<Double>
  ) -> VelocityEstimator {
    var estimator = VelocityEstimator()
    for time in times { estimator.add(motion(time), at: time) }
    return estimator
  }

  private func steady(_ rate: Double, from start: Double = 0, to end: Double) -> [Double] {
    (0...Int(((end - start) * rate).rounded())).map { start + Double($0) / rate }
  }

  @Test func `an estimator without movement has no velocity`() {
    var estimator = VelocityEstimator()
    #expect(estimator.velocity(at: 0) == .zero)
    estimator.add(SIMD4(3, 4, 5, 6), at: 0)
    #expect(estimator.velocity(at: 0.01) == .zero)
  }

  // Clauses: S6.9
  @Test(arguments: [30.0, 60, 120, 240, 1000, 8000])
  func constantVelocityIsExact(rate: Double) {
    let velocity = SIMD4(1000.0, -250, 0, 0.5)
    let estimator = estimator(steady(rate, to: 0.5)) { SIMD4(7, 8, 9, 10) + velocity * $0 }
    #expect((estimator.velocity(at: 0.5) - velocity).largestMagnitude < 1e-7)
  }

  // Clauses: S6.9
  @Test(arguments: [60.0, 120, 240, 1000])
  func constantAccelerationIsExact(rate: Double) {
    // 5,000 units/s²: a hand that flings. A line through the window would be 250 units per second behind.
    let estimator = estimator(steady(rate, to: 0.5)) { SIMD4(2500 * $0 * $0, 100 * $0 - 1000 * $0 * $0, 0, 0) }
    #expect((estimator.velocity(at: 0.5) - SIMD4(2500, -900, 0, 0)).largestMagnitude < 1e-6)
  }

  @Test func `irregular samples give the exact velocity`() {
    var random = SeededGenerator.fromEnvironment()
    for _ in 0..<500 {
      let (start, velocity, acceleration) = (
        random.vector(lanes: 4, in: -1e3...1e3), random.vector(lanes: 4, in: -2e3...2e3),
        random.vector(lanes: 4, in: -1e4...1e4)
      )
      var times = [random.double(0...1000)]
      while times.count < 60 { times.append((times.last ?? 0) + random.double(0.001...0.025)) }
      let end = times[59]
      let estimator = estimator(times) { start + velocity * ($0 - end) + acceleration * (($0 - end) * ($0 - end) / 2) }
      #expect((estimator.velocity(at: end) - velocity).largestMagnitude < 1e-4, "\(times.suffix(20))")
    }
  }

  /// The documented figure, σ · √(192 / n) / 0.1 s, within a tenth.
  @Test func `noise is damped as documented`() {
    var random = SeededGenerator.fromEnvironment()
    let deviation = 1.0
    let runs = 4000
    var (sum, squares) = (0.0, 0.0)
    for _ in 0..<runs {
      let estimator = estimator(steady(120, to: 0.4)) {
        // Even noise of that deviation.
        SIMD4(500 * $0 + random.double(-1...1) * deviation * 3.0.squareRoot())
      }
      let error = estimator.velocity(at: 0.4).x - 500
      sum += error
      squares += error * error
    }
    let measured = (squares / Double(runs)).squareRoot()
    #expect(abs(sum / Double(runs)) < 4 * measured / Double(runs).squareRoot(), "biased")
    #expect(abs(measured / (40 * deviation) - 1) < 0.1, "\(measured)")
  }

  // Clauses: S6.10
  @Test func `the velocity is zero after a window without samples`() {
    let estimator = estimator(steady(120, to: 0.3)) { SIMD4(800 * $0) }
    #expect(abs(estimator.velocity(at: 0.3).x - 800) < 1e-6)
    #expect(abs(estimator.velocity(at: 0.399).x - 800) < 1e-6)
    #expect(estimator.velocity(at: 0.401) == .zero)
  }

  // Clauses: S6.10
  @Test func `samples without movement give no velocity`() {
    var estimator = estimator(steady(120, to: 0.3)) { SIMD4(800 * $0) }
    for time in steady(120, from: 0.31, to: 0.41) { estimator.add(SIMD4(240), at: time) }
    #expect(estimator.velocity(at: 0.41) == .zero)
  }

  /// The parabola of a hand that stops between two samples would fling backwards, with nearly half the velocity.
  // Clauses: S6.10
  @Test(arguments: [1, 2, 3, 4, 6, 8, 10])
  func `an abrupt stop never gives a reversed velocity`(standing: Int) {
    var estimator = estimator(steady(120, to: 0.3)) { SIMD4(1000 * $0, -1000 * $0, 0, 0) }
    for index in 1...standing { estimator.add(SIMD4(300, -300, 0, 0), at: 0.3 + Double(index) / 120) }
    let velocity = estimator.velocity(at: 0.3 + Double(standing) / 120)
    #expect(velocity.x >= 0 && velocity.x <= 1000 && velocity.y <= 0 && velocity.y >= -1000, "\(velocity)")
  }

  // Clauses: S6.9
  @Test func `at most twenty samples cover the whole window`() {
    for rate in [10.0, 60, 120, 240, 1000, 8000] {
      let estimator = estimator(steady(rate, to: 1)) { SIMD4($0) }
      #expect(estimator.samples.count <= VelocityEstimator.sampleLimit)
      #expect(estimator.samples.last?.time == 1)
      let span = 1 - (estimator.samples.first?.time ?? 1)
      #expect(span >= 0.09, "at \(rate) per second the samples cover \(span) s")
    }
  }

  @Test func twoValuesOfOneTimeAreOneSample() {
    var estimator = VelocityEstimator()
    for index in 0...20 {
      let time = Double(index) / 100
      // Two fingers of one scan: half of the way is a state that is never visible.
      estimator.add(SIMD4(50 * time), at: time)
      estimator.add(SIMD4(100 * time), at: time)
    }
    #expect(abs(estimator.velocity(at: 0.2).x - 100) < 1e-9)
  }

  @Test func `a sample with an earlier time replaces the last`() {
    var estimator = VelocityEstimator()
    estimator.add(SIMD4(0), at: 1)
    estimator.add(SIMD4(10), at: 1.01)
    estimator.add(SIMD4(20), at: 0.5)
    #expect(estimator.samples.map(\.time) == [1, 1.01])
    #expect(abs(estimator.velocity(at: 1.01).x - 2000) < 1e-6)
  }

  @Test func hostileNumbersGiveFiniteVelocities() {
    var random = SeededGenerator.fromEnvironment()
    let awkward = [
      0, -0.0, 1, -1, 1e-300, .leastNonzeroMagnitude, 1e300, -1e300, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .infinity,
      -.infinity, .nan,
    ]
    for _ in 0..<2000 {
      var estimator = VelocityEstimator()
      for _ in 0..<40 {
        let value = SIMD4((0..<4).map { _ in awkward.randomElement(using: &random) ?? 0 })
        let time = random.next() % 2 == 0 ? random.double(0...0.2) : awkward.randomElement(using: &random) ?? 0
        estimator.add(value, at: time)
        let velocity = estimator.velocity(at: time)
        #expect(velocity.x.isFinite && velocity.y.isFinite && velocity.z.isFinite && velocity.w.isFinite)
      }
    }
  }

  @Test func `a reset estimator has no velocity`() {
    var estimator = estimator(steady(120, to: 0.3)) { SIMD4(800 * $0) }
    estimator.reset()
    #expect(estimator.velocity(at: 0.3) == .zero)
  }
}
