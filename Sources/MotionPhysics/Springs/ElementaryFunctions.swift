// For the linker: square roots, rounding and fused multiply-adds may be calls into the C library, where all of them are
// correctly rounded.
import Glibc

/// The transcendental functions that a step needs, computed with IEEE arithmetic alone.
///
/// The C library's `exp` and `sin` choose their code by the processor and then differ in the last bit. A recording must
/// replay to the same bits on another machine. Addition, multiplication, division, square root and the explicit fused
/// multiply-add round alike everywhere, so these functions do too. They are within 2 units in the last place where they
/// are used, cost about as much as the C library's, and run once per coefficients and dt.
enum ElementaryFunctions {
  /// The exponent below which an exponential counts as zero: such a decay is below every threshold, and denormals are
  /// avoided.
  private static let smallestExponent = -700.0

  /// e to the power of x, for x ≤ 0; 0 below −700.
  static func exponential(ofNonpositive x: Double) -> Double {
    if x < smallestExponent { return 0 }
    // x = n·ln 2 + r with |r| ≤ ln 2 / 2. The high half of ln 2 ends in zeros, so that n times it is exact (fdlibm).
    let n = (x * 1.442_695_040_888_963_4).rounded()
    let r = (x - n * 6.931_471_803_691_238_16e-01) - n * 1.908_214_929_270_587_70e-10
    return (1 + (r + r * r * exponentialTail(r))) * Double(sign: .plus, exponent: Int(n), significand: 1)
  }

  /// e to the power of x, minus 1, for x ≤ 0, without cancellation near 0.
  static func exponentialMinusOne(ofNonpositive x: Double) -> Double {
    x < -0.5 ? exponential(ofNonpositive: x) - 1 : x + x * x * exponentialTail(x)
  }

  /// (eˣ − 1 − x) / x², for x ≤ 0: ½ at 0.
  static func exponentialTail(ofNonpositive x: Double) -> Double {
    x < -0.5 ? (exponentialMinusOne(ofNonpositive: x) - x) / (x * x) : exponentialTail(x)
  }

  /// The series of (eˣ − 1 − x) / x² = 1/2! + x/3! + x²/4! + …, to full precision for |x| ≤ ½.
  private static func exponentialTail(_ x: Double) -> Double {
    // 14 terms: the next one, ½¹⁴/16!, is below 2⁻⁵⁸.
    var sum = 0.0
    var divisor = 15.0
    while divisor >= 2 {
      sum = (1 + sum * x) / divisor
      divisor -= 1
    }
    return sum
  }

  /// Sine and cosine of x ≥ 0.
  ///
  /// Beyond 10⁶ the argument's own rounding is larger than the error.
  static func sineAndCosine(of x: Double) -> (sine: Double, cosine: Double) {
    // For large x, a plain remainder first: it is exact for the rounded 2π. The phase is not meaningful there anyway.
    let near = x < 1e9 ? x : x.remainder(dividingBy: 2 * Double.pi)
    // near = n·π/2 + r with |r| ≤ π/4, with π/2 as the sum of two doubles and fused products.
    let n = (near * (2 / Double.pi)).rounded()
    let high = near.addingProduct(-n, 1.570_796_326_794_896_6)
    let r = high.addingProduct(-n, 6.123_233_995_736_766e-17)
    let sine = r * alternatingSeries(r * r, lastDivisor: 19)
    let cosine = alternatingSeries(r * r, lastDivisor: 18)
    switch Int(n) & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  /// 1 − x/(d·(d−1)) + …: the series of sin(r)/r for odd divisors, of cos(r) for even ones, at x = r².
  private static func alternatingSeries(_ x: Double, lastDivisor: Double) -> Double {
    var sum = 1.0
    var divisor = lastDivisor
    while divisor > 1.5 {
      sum = 1 - sum * x / (divisor * (divisor - 1))
      divisor -= 2
    }
    return sum
  }
}
