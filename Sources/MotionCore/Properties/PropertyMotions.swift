import MotionModel
import MotionPhysics

/// The state between samples of workers and properties, for the few slots that need it, and the late ones among these.
///
/// A motion takes a kilobyte, and each frame changes those of all properties that workers move. Therefore it is changed
/// where it lies, and what a frame asks of it is noted beside it.
struct PropertyMotions {
  private struct Place {
    var motion = PropertyMotion()
    var marks = PropertyMotion.Marks()
    var slot: Int
  }

  private var places: [Place] = []
  /// The places of slots, counted from 1; 0 for a slot without a motion.
  private var placeOfSlot: [UInt32] = []
  private var free: [UInt32] = []
  /// The slots that are late: a publisher checks it for each changed slot.
  private(set) var late: Set<Int> = []

  /// Whether no property needs one.
  var isEmpty: Bool { free.count == places.count }

  /// The motion of a property; `nil` if it needs none. Copies it: ``change(_:_:)`` and ``marks(of:)`` do not.
  subscript(slot: Int) -> PropertyMotion? {
    get { place(of: slot).map { places[$0].motion } }
    set {
      if let newValue {
        change(slot) { $0 = newValue }
      } else if let place = place(of: slot) {
        leave(place)
      }
    }
  }

  /// What a frame asks of the motion of a property; nothing is true of a property without one.
  func marks(of slot: Int) -> PropertyMotion.Marks {
    place(of: slot).map { places[$0].marks } ?? PropertyMotion.Marks()
  }

  /// Changes the motion of a property, which is created if need be, and given up if it holds nothing afterwards.
  mutating func change<Result>(_ slot: Int, _ change: (inout PropertyMotion) -> Result) -> Result {
    let place = makePlace(for: slot)
    let result = change(&places[place].motion)
    note(place)
    return result
  }

  /// Changes the motion of a property if it has one.
  @discardableResult
  mutating func changeIfPresent<Result>(_ slot: Int, _ change: (inout PropertyMotion) -> Result) -> Result? {
    guard let place = place(of: slot) else { return nil }
    let result = change(&places[place].motion)
    note(place)
    return result
  }

  /// Takes out the motion of a property if it is a sample of this executor that came in time, and nothing else.
  mutating func takeSample(_ slot: Int, of executor: ExecutorHandle?) -> PropertyState? {
    guard let executor, let place = place(of: slot), places[place].marks.hasWordOnly,
      let state = places[place].motion.takeWord(of: executor)
    else { return nil }
    leave(place)
    return state
  }

  /// The differences of hand-overs that fade at `time`, by slot, at most `limit`; a property may have two. A gap is one of
  /// nothing (``PropertyMotion/resume(_:for:from:at:)``).
  func handovers(at time: Double, atMost limit: Int) -> [(slot: Int, difference: PropertyState?, remaining: Double)] {
    let left = places.lazy.flatMap { place -> [(slot: Int, difference: PropertyState?, remaining: Double)] in
      let fading = (place.motion.blend?.left(at: time) ?? []).map {
        (place.slot, $0.difference as PropertyState?, $0.remaining)
      }
      guard case .coasting(_, let since) = place.motion.mover, time > since else { return fading }
      return fading + [(place.slot, nil, HandoverFade.gapFactor * (time - since))]
    }
    return left.prefix(limit).sorted { ($0.slot, $0.remaining) < ($1.slot, $1.remaining) }
  }

  /// Whether the property is not where its driver puts it, because the driver is late or dead, or was a moment ago.
  func isLate(_ slot: Int) -> Bool { marks(of: slot).isLate }

  private func place(of slot: Int) -> Int? {
    slot < placeOfSlot.count && placeOfSlot[slot] > 0 ? Int(placeOfSlot[slot]) - 1 : nil
  }

  private mutating func makePlace(for slot: Int) -> Int {
    if let place = place(of: slot) { return place }
    if slot >= placeOfSlot.count { placeOfSlot += repeatElement(0, count: slot + 1 - placeOfSlot.count) }
    let place = free.popLast().map { Int($0) } ?? places.count
    if place == places.count { places.append(Place(slot: slot)) }
    places[place].slot = slot
    placeOfSlot[slot] = UInt32(place + 1)
    return place
  }

  private mutating func note(_ place: Int) {
    let marks = places[place].motion.marks
    if marks.isEmpty { return leave(place) }
    if marks.isLate != places[place].marks.isLate {
      if marks.isLate { late.insert(places[place].slot) } else { late.remove(places[place].slot) }
    }
    places[place].marks = marks
  }

  /// Gives up the motion at a place.
  private mutating func leave(_ place: Int) {
    let slot = places[place].slot
    if places[place].marks.isLate { late.remove(slot) }
    places[place].motion.empty()
    places[place].marks = PropertyMotion.Marks()
    placeOfSlot[slot] = 0
    free.append(UInt32(place))
  }
}
