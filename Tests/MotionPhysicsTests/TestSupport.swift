import Glibc

/// A random generator whose seed a failing test prints, and `MOTION_TEST_SEED` sets: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A generator of the environment's seed, or else of a new one.
  static func fromEnvironment() -> SeededGenerator {
    let text = getenv("MOTION_TEST_SEED").map { String(cString: $0) }
    let generator = SeededGenerator(seed: text.flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max))
    print("MOTION_TEST_SEED=\(generator.seed)")
    return generator
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number whose logarithm is evenly spread: small and large ones alike.
  mutating func logarithmic(_ range: ClosedRange<Double>) -> Double {
    exp(Double.random(in: log(range.lowerBound)...log(range.upperBound), using: &self))
  }

  /// A vector of random lanes, zeros beyond `lanes`.
  mutating func vector(lanes: Int, in range: ClosedRange<Double>) -> SIMD4<Double> {
    var vector = SIMD4<Double>.zero
    for lane in 0..<lanes { vector[lane] = Double.random(in: range, using: &self) }
    return vector
  }
}

/// The state of a motion after `time`, computed independently of the sources: a Taylor series of the matrix exponential
/// in Float80 for a small part of the time, squared up to the whole.
///
/// Good to about 10⁻¹⁶ relative to the largest entry for stiffness·t² and damping·t up to some 10⁴.
struct ReferenceMatrix {
  var xx: Float80
  var xv: Float80
  var vx: Float80
  var vv: Float80

  init(stiffness: Double, damping: Double, time: Double) {
    let (k, c) = (Float80(stiffness), Float80(damping))
    var part = Float80(time)
    var squarings = 0
    while part * (1 + c + k.squareRoot()) > 1 / 64 {
      part /= 2
      squarings += 1
    }
    // exp(A·part) − I, so that squaring does not lose what is small beside 1: (I + E)² = I + (2E + E²).
    var (a, b, d, e): (Float80, Float80, Float80, Float80) = (0, 0, 0, 0)
    var term: (Float80, Float80, Float80, Float80) = (1, 0, 0, 1)
    for n in 1...12 {
      let f = part / Float80(n)
      term = (-k * term.1 * f, (term.0 - c * term.1) * f, -k * term.3 * f, (term.2 - c * term.3) * f)
      (a, b, d, e) = (a + term.0, b + term.1, d + term.2, e + term.3)
    }
    for _ in 0..<squarings {
      (a, b, d, e) = (
        2 * a + (a * a + b * d), 2 * b + (a * b + b * e), 2 * d + (d * a + e * d), 2 * e + (d * b + e * e)
      )
    }
    (xx, xv, vx, vv) = (1 + a, b, d, 1 + e)
  }

  func apply(_ x: Double, _ v: Double) -> (x: Double, v: Double) {
    (Double(xx * Float80(x) + xv * Float80(v)), Double(vx * Float80(x) + vv * Float80(v)))
  }
}
