/// Limits events per second and allows a burst: a token bucket.
///
/// Source: the token bucket of Turner, 1986.
struct RateLimit {
  /// Tokens added per second.
  let perSecond: Double
  /// The capacity of the bucket.
  let most: Double
  private var level: Double
  private var time: Duration

  /// A full bucket.
  ///
  /// - Parameter most: the capacity; by default twice `perSecond`.
  init(perSecond: Double, most: Double? = nil, at now: Duration) {
    self.perSecond = perSecond
    self.most = most ?? 2 * perSecond
    level = self.most
    time = now
  }

  /// Takes this many tokens, or none if the bucket has fewer.
  mutating func take(_ count: Int = 1, at now: Duration) -> Bool {
    fill(at: now)
    guard Double(count) <= level else { return false }
    level -= Double(count)
    return true
  }

  /// Whether the bucket has this many tokens.
  mutating func has(_ count: Int, at now: Duration) -> Bool {
    fill(at: now)
    return Double(count) <= level
  }

  /// Takes this many tokens even if the bucket has fewer. Nothing can be taken until the debt is refilled.
  mutating func owe(_ count: Int, at now: Duration) {
    fill(at: now)
    level -= Double(count)
  }

  /// When the bucket has one token again; `nil` if it has one now.
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
