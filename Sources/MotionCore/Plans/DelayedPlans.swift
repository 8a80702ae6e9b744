import MotionModel

/// The plans that wait for their time, the earliest first; plans of one time are in the order of their addition.
struct DelayedPlans {
  private struct Entry: HeapElement {
    let at: Double
    let order: UInt64
    let identity: IntentionIdentity

    func precedes(_ other: Entry) -> Bool { (at, order) < (other.at, other.order) }
  }

  private var entries = OrderedHeap<Entry>()
  /// Those among the entries that have ended: the first entry never has.
  private var ended: Set<UInt64> = []

  /// The simulated time of the earliest plan.
  var earliest: Double? { entries.first?.at }

  /// A sum of periods and a product may differ by rounding: that must not cost a frame.
  private static let rounding = 1e-9

  /// Whether a plan is due at `time`.
  func isDue(at time: Double) -> Bool { earliest.map { $0 <= time + Self.rounding } ?? false }

  /// Keeps a plan until its time.
  mutating func insert(_ identity: IntentionIdentity, order: UInt64, at time: Double) {
    entries.insert(Entry(at: time, order: order, identity: identity))
  }

  /// Takes out the next plan that is due at `time`.
  mutating func take(dueAt time: Double) -> IntentionIdentity? {
    guard isDue(at: time), let first = entries.first else { return nil }
    _ = entries.popFirst()
    dropEnded()
    return first.identity
  }

  /// Takes out a plan that has ended before its time, by its place in the order of additions. Constant on average.
  mutating func remove(order: UInt64) {
    ended.insert(order)
    dropEnded()
    guard ended.count > entries.count / 2 else { return }
    entries.removeAll { ended.contains($0.order) }
    ended = []
  }

  private mutating func dropEnded() {
    while let first = entries.first, ended.remove(first.order) != nil { _ = entries.popFirst() }
  }
}
