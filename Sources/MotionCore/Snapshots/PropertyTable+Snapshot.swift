import MotionModel

/// The numbers of slots, which decide in what order some properties are visited.
extension PropertyTable {
  /// Makes so many empty slots, for the properties of another runtime.
  mutating func makeEmptySlots(_ count: Int) {
    for _ in 0..<count { _ = reserveSlot(for: Entry(reference: PropertyReference("none", "none")), lanes: 1) }
    for slot in 0..<count { releaseSlot(slot) }
    free = []
  }

  /// Lets the next property take an empty slot of these.
  ///
  /// - Returns: whether it is empty.
  mutating func offer(_ slot: UInt32) -> Bool {
    guard slot < columns.rows.count, !isOccupied(Int(slot)) else { return false }
    free = [slot]
    return true
  }
}
