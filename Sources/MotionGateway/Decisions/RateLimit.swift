/// Bounds how much happens in a second, with room for as much again at once: a bucket of tokens.
///
/// Source: the token bucket of Turner, 1986.
struct RateLimit {
  /// How many come back in a second.
  let perSecond: Double
  /// How many there are at most.
  let most: Double
  private var level: Double
  private var time: Duration

  /// A full bucket.
  ///
  /// - Parameter most: how many fit; twice as many as come in a second if nothing is said.
  init(perSecond: Double, most: Double? = nil, at now: Duration) {
    self.perSecond = perSecond
    self.most = most ?? 2 * perSecond
    level = self.most
    time = now
  }

  /// Takes so many, or none if there are fewer.
  mutating func take(_ count: Int = 1, at now: Duration) -> Bool {
    fill(at: now)
    guard Double(count) <= level else { return false }
    level -= Double(count)
    return true
  }

  /// Whether so many could be taken.
  mutating func has(_ count: Int, at now: Duration) -> Bool {
    fill(at: now)
    return Double(count) <= level
  }

  /// Takes so many, whether they are there or not: until they have come back, nothing can be taken.
  mutating func owe(_ count: Int, at now: Duration) {
    fill(at: now)
    level -= Double(count)
  }

  /// When there is one again; `nil` if there is one now.
  mutating func nextTime(at now: Duration) -> Duration? {
    fill(at: now)
    return level >= 1 ? nil : now + .seconds((1 - level) / perSecond)
  }

  private mutating func fill(at now: Duration) {
    guard now > time else { return }
    level = min(most, level + (now - time) / .seconds(1) * perSecond)
    time = now
  }
}
