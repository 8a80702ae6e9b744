/// When a request is sent again: soon, then after twice the wait each time, up to a longest one.
struct Retry: Hashable, Sendable {
  private(set) var due: Duration
  private var wait: Duration
  private let longest: Duration

  /// The request was said at `now` for the first time.
  init(_ timing: LinkTiming, at now: Duration) {
    wait = timing.firstRetry
    longest = timing.longestRetry
    due = now + wait
  }

  /// The request was sent again at `now`.
  mutating func said(at now: Duration) {
    wait = min(wait * 2, longest)
    due = now + wait
  }
}
