import MotionModel

/// What `motionctl input` sent.
struct InputSummary: Equatable {
  /// Pointer events.
  var events: Int
  /// Messages that they were in.
  var messages: Int
  /// How long it took, in seconds of the clock on the wall.
  var seconds: Double

  /// The summary for people.
  var line: String {
    "\(counted(events, "event")) in \(counted(messages, "message")), \(JSONText.number(rounded)) s"
  }

  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// To milliseconds: the rest is chance.
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
