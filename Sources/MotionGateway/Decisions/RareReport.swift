/// Reports events that may be frequent at most once a second, with the number of omitted ones.
struct RareReport {
  private var last: Duration?
  private var omitted = 0

  /// The line to log for one more event; `nil` if it is omitted.
  mutating func note(_ text: String, at now: Duration) -> String? {
    if let last, now - last < .seconds(1) {
      omitted += 1
      return nil
    }
    defer { (last, omitted) = (now, 0) }
    return omitted == 0 ? text : "\(text) (\(omitted) more like this were omitted)"
  }
}
