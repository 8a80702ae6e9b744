import Glibc

/// Random numbers that are the same for the same seed, on every machine, so that a random test can be repeated.
///
/// Source: SplitMix64 (Steele, Lea, Flood 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The numbers of `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// True with this probability.
  public mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

  /// The rounds of a random test in this run: all of them, or a part such as a fifth if `MOTION_ROUNDS_DIVISOR` is 5.
  public static func rounds(_ all: Int) -> Int {
    let divisor = getenv("MOTION_ROUNDS_DIVISOR").flatMap { Int(String(cString: $0)) } ?? 1
    return max(1, all / max(1, divisor))
  }

  /// The seed of this run: `MOTION_TEST_SEED` if it is set, else a new one. It is printed, so that the run can be
  /// repeated.
  public static func seed(of test: String) -> UInt64 {
    let given = getenv("MOTION_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    print("\(test): MOTION_TEST_SEED=\(seed)")
    return seed
  }
}
