import MotionModel

/// Plans in the order in which they were added, of which each is found and removed in constant time, however many there are.
struct LingeringPlans: Sequence {
  private var places: [IntentionIdentity: Int] = [:]
  /// By place; `nil` where one was removed.
  private var plans: [IntentionIdentity?] = []

  init(_ plans: [IntentionIdentity] = []) {
    for plan in plans { append(plan) }
  }

  func contains(_ plan: IntentionIdentity) -> Bool { places[plan] != nil }

  /// Adds a plan, unless it is there.
  mutating func append(_ plan: IntentionIdentity) {
    guard places[plan] == nil else { return }
    places[plan] = plans.count
    plans.append(plan)
  }

  /// - Returns: whether it was there.
  mutating func remove(_ plan: IntentionIdentity) -> Bool {
    guard let place = places.removeValue(forKey: plan) else { return false }
    plans[place] = nil
    if plans.count > 2 * places.count { self = Self(Array(self)) }
    return true
  }

  func makeIterator() -> some IteratorProtocol<IntentionIdentity> { plans.lazy.compactMap(\.self).makeIterator() }
}
