import MotionModel
import MotionPhysics

/// What limits hold back.
extension Governors {
  /// Notes whether limits hold a row back.
  mutating func note(_ index: Int, isHeld: Bool) {
    guard let row = rows[index], row.isHeld != isHeld else { return }
    rows[index]?.isHeld = isHeld
    noteHold(row.slot, isHeld)
  }

  /// Notes whether a range alone, without governors, holds a slot back.
  mutating func noteHold(_ slot: Int, _ isHeld: Bool) {
    held += isHeld ? 1 : -1
    entries += isHeld ? 1 : 0
    holds.append((slot, isHeld))
  }

  /// Whether limits hold a slot back, also at a bound before its demand, where it has arrived.
  func holdsBack(_ slot: Int) -> Bool {
    isLagging(slot) || index(of: slot).flatMap { rows[$0]?.isHeld } ?? false
  }

  /// Takes out the slots that limits, or ranges alone, began to hold back, or no longer do, in order.
  mutating func takeHolds() -> [(slot: Int, isHeld: Bool)] {
    guard !holds.isEmpty else { return [] }
    defer { holds = [] }
    return holds
  }

  /// The limits that hold a slot back in any lane.
  func restraint(of slot: Int) -> Restraint {
    guard let index = index(of: slot), let row = rows[index] else { return [] }
    return (row.first..<row.first + row.lanes).reduce(into: []) { $0.formUnion(lanes[$1].restraint) }
  }
}
