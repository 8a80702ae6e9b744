/// The retry schedule of a request: soon, then after twice the wait each time, up to a longest wait.
struct Retry: Hashable, Sendable {
  private(set) var due: Duration
  private var wait: Duration
  private let longest: Duration

  /// The request was sent at `now` for the first time.
  init(_ timing: LinkTiming, at now: Duration) {
    wait = timing.firstRetry
    longest = timing.longestRetry
    due = now + wait
  }

  /// The request was resent at `now`.
  mutating func said(at now: Duration) {
    wait = min(wait * 2, longest)
    due = now + wait
  }
}
