import MotionModel
import MotionPhysics

/// The ranges of the slots that have one and no other limits: their natural ranges (``KnownProperty/range``), or those
/// that were set.
///
/// Most have none: for these a write costs a comparison with 0, and a frame of the spring bank nothing.
struct NaturalRanges {
  private struct Entry {
    let slot: UInt32
    let range: LaneRanges
    /// Whether it was set: then it is noted when it holds the property back.
    let isSet: Bool
    /// What the driver demands beyond a range that was set.
    var demand: (value: SIMD4<Double>, velocity: SIMD4<Double>)?
  }

  /// By slot: its place among ``entries`` plus one; 0 without a range.
  private var places: [UInt32] = []
  private var entries: [Entry] = []

  /// How many slots have a range.
  var count: Int { entries.count }
  /// The slots that have one, in no particular order.
  var slots: some Sequence<Int> { entries.lazy.map { Int($0.slot) } }

  /// Assigns a slot to a property of this range, or of none; the slot had no range before.
  mutating func take(_ slot: Int, _ range: LaneRanges?, isSet: Bool = false) {
    while places.count <= slot { places.append(0) }
    guard let range else { return }
    entries.append(Entry(slot: UInt32(slot), range: range, isSet: isSet))
    places[slot] = UInt32(entries.count)
  }

  /// Removes the range of a slot that is empty again.
  ///
  /// - Returns: whether it held the property back.
  @discardableResult
  mutating func leave(_ slot: Int) -> Bool {
    guard slot < places.count, let place = index(of: slot) else { return false }
    let wasHeld = entries[place].demand != nil
    places[slot] = 0
    let last = entries.removeLast()
    guard place < entries.count else { return wasHeld }
    entries[place] = last
    places[Int(last.slot)] = UInt32(place + 1)
    return wasHeld
  }

  /// Holds what a driver demands within the range of the slot, if it has one.
  ///
  /// - Returns: whether a range that was set holds the property back from now on; `nil` if that does not change.
  @inline(__always)
  mutating func hold(_ slot: Int, _ value: inout SIMD4<Double>, _ velocity: inout SIMD4<Double>) -> Bool? {
    guard let index = index(of: slot) else { return nil }
    let (place, speed) = (value, velocity)
    entries[index].range.hold(&value, &velocity)
    guard entries[index].isSet else { return nil }
    return note(index, value == place && velocity == speed ? nil : (place, speed))
  }

  /// Whether the range of the slot holds this state back, or held the one before back: ``hold(_:_:_:)`` does nothing to
  /// all others.
  @inline(__always)
  func concerns(_ slot: Int, lanes: Int, _ state: (_ lane: Int) -> (value: Double, velocity: Double)) -> Bool {
    guard let index = index(of: slot) else { return false }
    if entries[index].demand != nil { return true }
    let range = entries[index].range
    for lane in 0..<lanes {
      let free = state(lane)
      var held = free
      range.hold(lane, &held.value, &held.velocity)
      if held != free { return true }
    }
    return false
  }

  /// The same for a demand that was held already; `nil` for none.
  mutating func note(_ slot: Int, demand: PropertyState?) -> Bool? {
    guard let index = index(of: slot), entries[index].isSet else { return nil }
    return note(index, demand.map { ($0.value.storage, $0.velocity.storage) })
  }

  private mutating func note(_ index: Int, _ demand: (value: SIMD4<Double>, velocity: SIMD4<Double>)?) -> Bool? {
    let wasHeld = entries[index].demand != nil
    entries[index].demand = demand
    return (demand != nil) == wasHeld ? nil : !wasHeld
  }

  /// What the driver demands beyond the range that was set; `nil` if that holds nothing back.
  func demand(of slot: Int) -> (value: SIMD4<Double>, velocity: SIMD4<Double>)? {
    index(of: slot).flatMap { entries[$0].demand }
  }

  /// The slots whose ranges hold them back.
  var heldSlots: [Int] { entries.lazy.filter { $0.demand != nil }.map { Int($0.slot) } }

  /// The range of a slot, if it has one.
  @inline(__always)
  func range(of slot: Int) -> LaneRanges? { index(of: slot).map { entries[$0].range } }

  @inline(__always)
  private func index(of slot: Int) -> Int? { places[slot] == 0 ? nil : Int(places[slot]) - 1 }
}

/// A range for each lane of a property.
struct LaneRanges {
  let lower: SIMD4<Double>
  let upper: SIMD4<Double>

  init(lower: SIMD4<Double>, upper: SIMD4<Double>) { (self.lower, self.upper) = (lower, upper) }

  /// The same range for every lane; `nil` without one.
  init?(_ range: ClosedRange<Double>?) {
    guard let range else { return nil }
    (lower, upper) = (SIMD4(repeating: range.lowerBound), SIMD4(repeating: range.upperBound))
  }

  /// The ranges of limits; `nil` if none has one.
  init?(_ limits: [GovernorLimits]) {
    var (lower, upper) = (SIMD4(repeating: -Double.infinity), SIMD4(repeating: Double.infinity))
    for lane in limits.indices {
      (lower[lane], upper[lane]) = (limits[lane].range.lowerBound, limits[lane].range.upperBound)
    }
    guard lower != SIMD4(repeating: -.infinity) || upper != SIMD4(repeating: .infinity) else { return nil }
    (self.lower, self.upper) = (lower, upper)
  }

  /// Holds a lane at the bound that it has reached or passed, with velocity 0; from a bound it may move inwards.
  @inline(__always)
  func hold(_ lane: Int, _ value: inout Double, _ velocity: inout Double) {
    let (lowerBound, upperBound) = (lower[lane], upper[lane])
    if value > upperBound || value == upperBound && velocity > 0 { (value, velocity) = (upperBound, 0) }
    if value < lowerBound || value == lowerBound && velocity < 0 { (value, velocity) = (lowerBound, 0) }
  }

  /// Whether a lane is within its range.
  func contains(_ lane: Int, _ value: Double) -> Bool { value >= lower[lane] && value <= upper[lane] }

  /// Whether a lane is at one of its bounds.
  func bounds(_ lane: Int, _ value: Double) -> Bool { value == lower[lane] || value == upper[lane] }

  /// The same for all lanes of a property.
  @inline(__always)
  func hold(_ value: inout SIMD4<Double>, _ velocity: inout SIMD4<Double>) {
    for lane in 0..<4 { hold(lane, &value[lane], &velocity[lane]) }
  }
}
