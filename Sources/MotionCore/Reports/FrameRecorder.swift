import MotionModel

/// Keeps what a recording needs of each frame: the events that were applied, and the hash of the result.
struct FrameRecorder {
  /// Whether applied events are kept.
  var isOn = false
  /// Whether each frame computes ``hash``; costs a pass over the changed properties.
  var computesHashes = false
  /// The hash of the last frame.
  private(set) var hash: UInt64 = 0
  /// The events that were applied in the last frame, and between the frame before and it.
  private var applied: [RuntimeEvent] = []
  private var appliedBetween: [RuntimeEvent] = []

  /// Keeps an event that is being applied, in a frame or between two.
  mutating func note(_ event: RuntimeEvent, isInFrame: Bool) {
    guard isOn else { return }
    if isInFrame { applied.append(event) } else { appliedBetween.append(event) }
  }

  /// Ends a frame: computes the hash of it and of everything that changed in it, independent of the order.
  mutating func end(_ frame: Frame, _ movement: Movement) {
    if computesHashes { hash = Self.hash(of: frame, movement.properties) }
  }

  /// Takes out the record of the last frame.
  mutating func take(_ frame: Frame, skipped: UInt64) -> RecordedFrame {
    defer { (applied, appliedBetween) = ([], []) }
    return RecordedFrame(frame: frame, betweenFrames: appliedBetween, events: applied, skipped: skipped, hash: hash)
  }

  private static func hash(of frame: Frame, _ properties: PropertyTable) -> UInt64 {
    var hasher = StableHasher()
    hasher.combine(frame.number)
    hasher.combine(frame.time)
    hasher.combine(frame.dt)
    var sum: UInt64 = 0
    for slot in properties.changed {
      let row = properties.columns.rows[slot]
      var property = StableHasher(seed: UInt64(row.handle))
      for lane in row.first..<row.first + row.lanes {
        property.combine(properties.columns.values[lane])
        property.combine(properties.columns.velocities[lane])
      }
      property.combine(byte: properties.isLate(slot) ? 1 : 0)
      sum &+= property.finish()
    }
    hasher.combine(sum)
    return hasher.finish()
  }
}
