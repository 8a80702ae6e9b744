import MotionFiles
import MotionModel

/// A line for the viewers' log panels: the message `foxglove.Log` in JSON.
struct LogLine {
  /// The levels of that message.
  enum Level: UInt64 {
    case info = 2
    case warning = 3
    case error = 4
  }

  let level: Level
  /// The target that it is about; empty for none.
  let name: String
  let message: String

  /// The message.
  ///
  /// - Parameter wallTime: nanoseconds since 1970.
  func payload(at wallTime: UInt64) -> [UInt8] {
    let json: JSONOutput = [
      "timestamp": ["sec": .unsigned(wallTime / 1_000_000_000), "nsec": .unsigned(wallTime % 1_000_000_000)],
      "level": .unsigned(level.rawValue), "message": .text(message), "name": .text(name), "file": .text(""),
      "line": .unsigned(0),
    ]
    return Array(json.line.utf8)
  }

  /// The line about a hand-over.
  init(_ change: DriverChange, driver: String) {
    (level, name) = (.info, change.reference.target.text)
    message =
      driver.isEmpty
      ? "Nothing drives \(change.reference) any more, from \(change.time) s on"
      : "\(driver) drives \(change.reference) from \(change.time) s on"
  }

  /// The line about a plan that failed; `nil` for one that did not.
  init?(_ ended: EndedIntention) {
    guard ended.outcome == .failed else { return nil }
    (level, name) = (.error, ended.target.text)
    let plan = "\(ended.type) \(ended.identity)" + (ended.name.map { " named \($0)" } ?? "")
    message = "\(plan) on \(ended.target) failed: \(ended.reason)"
  }

  init(_ level: Level, _ message: String) { (self.level, name, self.message) = (level, "", message) }
}
