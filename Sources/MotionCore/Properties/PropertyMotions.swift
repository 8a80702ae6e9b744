import MotionModel

/// What stands between the words of workers and properties, for the few slots that need it, and which of them are late.
struct PropertyMotions {
  private var motions: [Int: PropertyMotion] = [:]
  /// The slots that are late: a publisher asks of each that changed.
  private(set) var late: Set<Int> = []

  /// Whether no property needs anything.
  var isEmpty: Bool { motions.isEmpty }

  /// What stands there; `nil` for a property that needs nothing.
  subscript(slot: Int) -> PropertyMotion? {
    get { motions.isEmpty ? nil : motions[slot] }
    _modify {
      yield &motions[slot]
      note(slot)
    }
  }

  /// What stands there, made if need be.
  subscript(slot: Int, default motion: @autoclosure () -> PropertyMotion) -> PropertyMotion {
    get { motions[slot] ?? motion() }
    _modify {
      yield &motions[slot, default: motion()]
      note(slot)
    }
  }

  /// What hand-overs have left at `time`, by slot, of up to so many properties.
  func handovers(at time: Double, atMost limit: Int) -> [(slot: Int, difference: PropertyState, remaining: Double)] {
    let left = motions.lazy.compactMap { slot, motion in
      motion.blend?.left(at: time).map { (slot, $0.difference, $0.remaining) }
    }
    return left.prefix(limit).sorted { $0.0 < $1.0 }
  }

  /// Whether the property is not where its driver says, because that is late or dead or was a moment ago.
  func isLate(_ slot: Int) -> Bool { !late.isEmpty && late.contains(slot) }

  private mutating func note(_ slot: Int) {
    if motions[slot]?.isLate ?? false {
      late.insert(slot)
    } else if !late.isEmpty {
      late.remove(slot)
    }
  }
}
