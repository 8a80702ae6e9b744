import MotionModel

/// The handles that were named on a topic.
///
/// Topics of everything ask it about each property in each frame, and there are two of them at most: they spend a bit on
/// every handle that there ever was, which is 1.25 MB for ten million. A set took 17 % of a frame of 20,000 properties, by profile.
struct HandleSet {
  private let isDense: Bool
  private var bits: [UInt64] = []
  private var others: Set<PropertyHandle> = []

  /// An empty set: of bits if it `isDense`.
  init(isDense: Bool) { self.isDense = isDense }

  /// Adds a handle; returns whether it was not there.
  mutating func insert(_ handle: PropertyHandle) -> Bool {
    guard isDense else { return others.insert(handle).inserted }
    let (word, bit) = Self.place(of: handle)
    if word >= bits.count { bits.append(contentsOf: repeatElement(0, count: word + 1 - bits.count)) }
    guard bits[word] & bit == 0 else { return false }
    bits[word] |= bit
    return true
  }

  /// Takes a handle out; returns whether it was there.
  mutating func remove(_ handle: PropertyHandle) -> Bool {
    guard isDense else { return others.remove(handle) != nil }
    let (word, bit) = Self.place(of: handle)
    guard word < bits.count, bits[word] & bit != 0 else { return false }
    bits[word] &= ~bit
    return true
  }

  /// Takes all of them out.
  mutating func removeAll() { self = HandleSet(isDense: isDense) }

  private static func place(of handle: PropertyHandle) -> (word: Int, bit: UInt64) {
    (Int(handle.rawValue / 64), 1 << UInt64(handle.rawValue % 64))
  }
}
