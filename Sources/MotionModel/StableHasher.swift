/// A 64-bit hash that is the same in every process and on every machine (FNV-1a, then a final mix).
///
/// It compares states and bodies that ought to be equal: frame hashes of a recording and its replay, the token sets of
/// both ends of a link, a transaction that is committed twice. It is also used for rendezvous hashing. It resists
/// accidents, not adversaries. Source: Fowler, Noll and Vo; the mix is the finaliser of MurmurHash3 (Appleby).
public struct StableHasher: Sendable {
  private var state: UInt64

  /// Creates a hasher; different seeds give independent hashes.
  public init(seed: UInt64 = 0) {
    state = 0xcbf2_9ce4_8422_2325 ^ seed
  }

  /// Adds one byte.
  public mutating func combine(byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// Adds eight bytes, least significant first.
  public mutating func combine(_ word: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { combine(byte: UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
  }

  /// Adds the bits of a number: equal bits give an equal hash (so 0 and −0 differ).
  public mutating func combine(_ number: Double) { combine(number.bitPattern) }

  /// Adds a text and its length, so that adjacent texts cannot run together.
  public mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte: byte) }
    combine(UInt64(text.utf8.count))
  }

  /// Returns the hash of the bytes added so far.
  public func finish() -> UInt64 {
    var hash = state
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ (hash >> 33)
  }
}
