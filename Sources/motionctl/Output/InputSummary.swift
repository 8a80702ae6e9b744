import MotionFiles
import MotionModel

/// The summary of the events that `motionctl input` sent.
struct InputSummary: Equatable {
  /// The number of pointer events.
  var events: Int
  /// The number of messages that contained them.
  var messages: Int
  /// The duration in seconds of real time.
  var seconds: Double

  /// The summary for people.
  var line: String {
    "\(counted(events, "event")) in \(counted(messages, "message")), \(JSONText.number(rounded)) s"
  }

  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// Rounded to milliseconds: smaller digits are noise.
  fileprivate var rounded: Double { (seconds * 1000).rounded() / 1000 }
}

extension JSONOutput {
  /// A summary of input.
  init(_ summary: InputSummary) {
    self = [
      "events": .count(summary.events), "messages": .count(summary.messages), "seconds": .number(summary.rounded),
    ]
  }
}
