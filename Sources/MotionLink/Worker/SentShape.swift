import MotionModel
import MotionWire

/// The shape of a worker's updates: rows that come twice in a row are announced under a number, and left out once a tick
/// has acknowledged it.
struct SentShape: Sendable {
  /// The rows of the last update.
  private var rows = UpdateRows(of: [])
  private var number: UInt64 = 0
  private var isAnnounced = false
  /// The number in the last tick.
  private var acknowledged: UInt64 = 0

  /// The coordinator has the shape of this number, and no other.
  mutating func acknowledge(_ number: UInt64) { acknowledged = number }

  /// The shape to send these writes with.
  mutating func shape(of writes: [PropertyWrite]) -> WorkerUpdate.Shape {
    guard !writes.isEmpty else { return .none }
    guard rows.fit(writes) else {
      (rows, number, isAnnounced) = (UpdateRows(of: writes), number + 1, false)
      return .none
    }
    guard isAnnounced, acknowledged == number else {
      isAnnounced = true
      return .announced(number)
    }
    return .named(number)
  }
}
