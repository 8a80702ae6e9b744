/// Says of events that may come by the thousand how many there were, at most once a second.
struct RareReport {
  private var last: Duration?
  private var omitted = 0

  /// What to say of another one now, if anything.
  mutating func note(_ text: String, at now: Duration) -> String? {
    if let last, now - last < .seconds(1) {
      omitted += 1
      return nil
    }
    defer { (last, omitted) = (now, 0) }
    return omitted == 0 ? text : "\(text) (\(omitted) more like this before)"
  }
}
