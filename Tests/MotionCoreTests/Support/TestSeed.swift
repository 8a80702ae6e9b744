import Foundation

/// The seed of random tests: another each time, or the one in `MOTION_TEST_SEED`. Failing expectations print it.
enum TestSeed {
  static let value =
    ProcessInfo.processInfo.environment["MOTION_TEST_SEED"].flatMap(UInt64.init) ?? .random(in: 0...9999)
}

/// A small generator whose sequence depends on its seed alone. Source: Steele, Lea and Flood, SplitMix64, 2014.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
