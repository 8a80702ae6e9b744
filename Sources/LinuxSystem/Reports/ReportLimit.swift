/// Limits the reports of events that may be frequent, and counts the events that are not reported yet.
package struct ReportLimit: Sendable {
  private let most: Int
  private let interval: Duration
  private var intervalEnd = Duration.zero
  /// The reports in the present interval.
  private var reports = 0
  /// The number of events that are not reported yet.
  package private(set) var pending: UInt64 = 0

  /// Allows `most` reports in an interval, which begins with a report.
  package init(_ most: Int = 1, per interval: Duration) { (self.most, self.interval) = (most, interval) }

  /// Counts events.
  ///
  /// - Returns: the number of events to report now, with all that are pending; `nil` if there are none, or a report
  ///   would be one too many.
  package mutating func report(_ events: UInt64 = 1, at now: Duration) -> UInt64? {
    pending += events
    guard pending > 0 else { return nil }
    if now >= intervalEnd { (intervalEnd, reports) = (now + interval, 0) }
    guard reports < most else { return nil }
    reports += 1
    defer { pending = 0 }
    return pending
  }

  /// Counts one event.
  ///
  /// - Returns: the line to log, which states the number of pending events; `nil` if it would be one too many.
  package mutating func line(_ text: @autoclosure () -> String, at now: Duration) -> String? {
    report(at: now).map { $0 == 1 ? text() : "\(text()) (and \($0 - 1) more since the last such line)" }
  }

  /// When the pending events may be reported; `nil` if there are none.
  package var deadline: Duration? { pending > 0 ? intervalEnd : nil }
}
