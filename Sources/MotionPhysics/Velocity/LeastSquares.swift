/// The slope, at the newest of a few samples, of the parabola that fits them best. With fewer than four samples it is
/// the slope of a line, because a parabola through three would follow all of their errors.
///
/// The fit uses polynomials that are orthogonal over the samples (Forsythe 1957), so that no system has to be solved:
/// p₁ is t less its mean, p₂ is p₁² − a·p₁ − b. Times and values are relative to the newest sample, which preserves
/// their digits.
struct LeastSquares {
  /// The slope of the fit.
  let slope: SIMD4<Double>
  /// The least velocity, by lane, between two successive samples, or extrapolated from the last two of these.
  let slowest: SIMD4<Double>
  /// The greatest velocity, likewise.
  let fastest: SIMD4<Double>

  /// Fits two or more samples of rising times.
  init(_ samples: ArraySlice<VelocityEstimator.Sample>, from newest: VelocityEstimator.Sample) {
    slope = Self.slope(samples, from: newest)
    var slowest = SIMD4<Double>(repeating: .infinity)
    var fastest = SIMD4<Double>(repeating: -.infinity)
    var before: (velocity: SIMD4<Double>, time: Double)?
    for index in samples.indices.dropFirst() {
      let (from, to) = (samples[index - 1], samples[index])
      let velocity = (to.value - from.value) / (to.time - from.time)
      let middle = (from.time + to.time) / 2
      slowest = pointwiseMin(slowest, velocity)
      fastest = pointwiseMax(fastest, velocity)
      if index == samples.endIndex - 1, let before {
        let carried = velocity + (velocity - before.velocity) * ((to.time - middle) / (middle - before.time))
        slowest = pointwiseMin(slowest, carried)
        fastest = pointwiseMax(fastest, carried)
      }
      before = (velocity, middle)
    }
    self.slowest = slowest
    self.fastest = fastest
  }

  private static func slope(
    _ samples: ArraySlice<VelocityEstimator.Sample>, from newest: VelocityEstimator.Sample
  ) -> SIMD4<Double> {
    let count = Double(samples.count)
    var mean = 0.0
    for sample in samples { mean += (sample.time - newest.time) / count }
    var squares = 0.0
    var cubes = 0.0
    var first = SIMD4<Double>.zero
    for sample in samples {
      let p1 = sample.time - newest.time - mean
      squares += p1 * p1
      cubes += p1 * p1 * p1
      first += (sample.value - newest.value) * p1
    }
    let line = first / squares
    guard samples.count >= 4 else { return line }
    let (a, b) = (cubes / squares, squares / count)
    var norm = 0.0
    var second = SIMD4<Double>.zero
    for sample in samples {
      let p1 = sample.time - newest.time - mean
      let p2 = p1 * p1 - a * p1 - b
      norm += p2 * p2
      second += (sample.value - newest.value) * p2
    }
    // The newest sample is at time 0, so that p₁ = −mean there, and p₂' = 2 p₁ − a.
    return norm > 0 ? line + second / norm * (-2 * mean - a) : line
  }
}
