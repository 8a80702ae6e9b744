import Glibc

@testable import MotionPhysics

/// A random generator whose seed is printed, and which `MOTION_TEST_SEED` sets: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A generator of the environment's seed, or else of a new one.
  static func fromEnvironment(_ test: String = #function) -> SeededGenerator {
    let text = getenv("MOTION_TEST_SEED").map { String(cString: $0) }
    let generator = SeededGenerator(seed: text.flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max))
    print("\(test): MOTION_TEST_SEED=\(generator.seed)")
    return generator
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func double(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  /// A number whose logarithm is evenly spread: small and large ones alike.
  mutating func logarithmic(_ range: ClosedRange<Double>) -> Double {
    exp(double(log(range.lowerBound)...log(range.upperBound)))
  }

  /// A vector of random lanes, zeros beyond `lanes`.
  mutating func vector(lanes: Int, in range: ClosedRange<Double>) -> SIMD4<Double> {
    var vector = SIMD4<Double>.zero
    for lane in 0..<lanes { vector[lane] = double(range) }
    return vector
  }
}

extension SIMD4<Double> {
  /// A value of one lane.
  init(_ first: Double) {
    self.init(first, 0, 0, 0)
  }

  var largestMagnitude: Double {
    Swift.max(Swift.max(abs(self[0]), abs(self[1])), Swift.max(abs(self[2]), abs(self[3])))
  }
}

extension ForceSum {
  /// A spring of mass 1 by its natural frequency (rad/s) and damping ratio.
  init(frequency: Double, dampingRatio: Double, anchor: SIMD4<Double> = .zero) {
    self.init(
      spring: SpringCoefficients(tension: frequency * frequency, friction: 2 * dampingRatio * frequency),
      anchor: anchor)
  }
}

#if arch(x86_64)
  /// The precision of references: 64 bits of mantissa where the processor has them.
  typealias Extended = Float80
#else
  typealias Extended = Double
#endif

/// The matrix of a motion over `time` by its eigenvalues, in extended precision, as a textbook has it.
///
/// Written independently of the sources. It loses digits close to critical damping, as the textbook's does; there
/// ``SeriesMatrix`` is the reference.
struct EigenvalueMatrix {
  let (xx, xv, vx, vv): (Extended, Extended, Extended, Extended)

  init(stiffness: Double, damping: Double, time: Double) {
    let (k, c, t) = (Extended(stiffness), Extended(damping), Extended(time))
    let discriminant = c * c / 4 - k
    if discriminant < 0 {
      let w = (-discriminant).squareRoot()
      let decay = exp(-c / 2 * t)
      xx = decay * (cos(w * t) + c / 2 / w * sin(w * t))
      xv = decay * sin(w * t) / w
      vx = -k * decay * sin(w * t) / w
      vv = decay * (cos(w * t) - c / 2 / w * sin(w * t))
    } else {
      let r1 = -c / 2 + discriminant.squareRoot()
      let r2 = -c / 2 - discriminant.squareRoot()
      let (e1, e2) = (exp(r1 * t), exp(r2 * t))
      xx = (r1 * e2 - r2 * e1) / (r1 - r2)
      xv = (e1 - e2) / (r1 - r2)
      vx = r1 * r2 * (e2 - e1) / (r1 - r2)
      vv = (r1 * e1 - r2 * e2) / (r1 - r2)
    }
  }

  func apply(_ x: Double, _ v: Double) -> (x: Double, v: Double) {
    (Double(xx * Extended(x) + xv * Extended(v)), Double(vx * Extended(x) + vv * Extended(v)))
  }
}

/// The same by the Taylor series of the matrix exponential, for times of at most a few of the motion's own.
struct SeriesMatrix {
  let (xx, xv, vx, vv): (Extended, Extended, Extended, Extended)

  init(stiffness: Double, damping: Double, time: Double) {
    let (k, c, t) = (Extended(stiffness), Extended(damping), Extended(time))
    var (a, b, d, e): (Extended, Extended, Extended, Extended) = (1, 0, 0, 1)
    var (p, q, r, s) = (a, b, d, e)
    for n in 1...80 {
      let f = t / Extended(n)
      // term ← A·term·t/n with A = (0 1; −k −c).
      (p, q, r, s) = (r * f, s * f, (-k * p - c * r) * f, (-k * q - c * s) * f)
      (a, b, d, e) = (a + p, b + q, d + r, e + s)
    }
    (xx, xv, vx, vv) = (a, b, d, e)
  }
}
