import Glibc

/// Random numbers that come again with the same seed: SplitMix64 (Steele, Lea, Flood).
///
/// Prints its seed, so that a failure can be repeated with `MOTION_TEST_SEED`.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(name: String) {
    let given = getenv("MOTION_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    state = given ?? .random(in: .min ... .max)
    print("\(name): MOTION_TEST_SEED=\(state)")
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
