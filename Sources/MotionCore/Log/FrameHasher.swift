import MotionModel

/// Computes the hashes of frames.
struct FrameHasher {
  /// Whether each frame computes ``hash``; costs a pass over the changed properties.
  var isOn = false
  /// The hash of the last frame.
  private(set) var hash: UInt64 = 0

  /// Computes the hash of a frame and of everything that changed in it, independent of the order.
  mutating func compute(_ frame: Frame, _ properties: PropertyTable) {
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
      if let acceleration = properties.governors.acceleration(of: slot) {
        for lane in acceleration.array { property.combine(lane) }
      }
      property.combine(byte: properties.isLate(slot) ? 1 : 0)
      sum &+= property.finish()
    }
    hasher.combine(sum)
    hash = hasher.finish()
  }
}
