import MotionModel

/// The natural ranges (``KnownProperty/range``) of the slots that have one.
///
/// Most have none: for these a write costs a comparison with 0, and a frame of the spring bank nothing.
struct NaturalRanges {
  private struct Entry {
    let slot: UInt32
    let range: ClosedRange<Double>
  }

  /// By slot: its place among ``entries`` plus one; 0 without a range.
  private var places: [UInt32] = []
  private var entries: [Entry] = []

  /// How many slots have a range.
  var count: Int { entries.count }
  /// The slots that have one, in no particular order.
  var slots: some Sequence<Int> { entries.lazy.map { Int($0.slot) } }

  /// Assigns a slot to a property of this range, or of none; the slot had no range before.
  mutating func take(_ slot: Int, _ range: ClosedRange<Double>?) {
    while places.count <= slot { places.append(0) }
    guard let range else { return }
    entries.append(Entry(slot: UInt32(slot), range: range))
    places[slot] = UInt32(entries.count)
  }

  /// Removes the range of a slot that is empty again.
  mutating func leave(_ slot: Int) {
    guard let place = index(of: slot) else { return }
    places[slot] = 0
    let last = entries.removeLast()
    guard place < entries.count else { return }
    entries[place] = last
    places[Int(last.slot)] = UInt32(place + 1)
  }

  /// The range of a slot, if it has one.
  @inline(__always)
  func range(of slot: Int) -> ClosedRange<Double>? { index(of: slot).map { entries[$0].range } }

  @inline(__always)
  private func index(of slot: Int) -> Int? { places[slot] == 0 ? nil : Int(places[slot]) - 1 }
}

extension ClosedRange<Double> {
  /// Holds a lane at the bound that it has reached or passed, with velocity 0; from a bound it may move inwards.
  @inline(__always)
  func hold(_ value: inout Double, _ velocity: inout Double) {
    if value > upperBound || value == upperBound && velocity > 0 { (value, velocity) = (upperBound, 0) }
    if value < lowerBound || value == lowerBound && velocity < 0 { (value, velocity) = (lowerBound, 0) }
  }

  /// The same for all lanes of a property.
  @inline(__always)
  func hold(_ value: inout SIMD4<Double>, _ velocity: inout SIMD4<Double>) {
    for lane in 0..<4 { hold(&value[lane], &velocity[lane]) }
  }
}
