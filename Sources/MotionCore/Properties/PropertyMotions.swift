import MotionModel

/// The state between samples of workers and properties, for the few slots that need it, and the late ones among these.
struct PropertyMotions {
  private var motions: [Int: PropertyMotion] = [:]
  /// The slots that are late: a publisher checks it for each changed slot.
  private(set) var late: Set<Int> = []

  /// Whether no property needs one.
  var isEmpty: Bool { motions.isEmpty }

  /// The motion of a property; `nil` if it needs none.
  subscript(slot: Int) -> PropertyMotion? {
    get { motions.isEmpty ? nil : motions[slot] }
    _modify {
      yield &motions[slot]
      note(slot)
    }
  }

  /// The motion of a property, created if need be.
  subscript(slot: Int, default motion: @autoclosure () -> PropertyMotion) -> PropertyMotion {
    get { motions[slot] ?? motion() }
    _modify {
      yield &motions[slot, default: motion()]
      note(slot)
    }
  }

  /// The differences of hand-overs that fade at `time`, by slot, at most `limit`; a property may have two.
  func handovers(at time: Double, atMost limit: Int) -> [(slot: Int, difference: PropertyState, remaining: Double)] {
    let left = motions.lazy.flatMap { slot, motion in
      (motion.blend?.left(at: time) ?? []).map { (slot, $0.difference, $0.remaining) }
    }
    return left.prefix(limit).sorted { ($0.0, $0.2) < ($1.0, $1.2) }
  }

  /// Whether the property is not where its driver puts it, because the driver is late or dead, or was a moment ago.
  func isLate(_ slot: Int) -> Bool { !late.isEmpty && late.contains(slot) }

  private mutating func note(_ slot: Int) {
    if motions[slot]?.isLate ?? false {
      late.insert(slot)
    } else if !late.isEmpty {
      late.remove(slot)
    }
  }
}
