import MotionClient
import MotionFiles
import MotionModel

/// Plays a trace of pointers to a daemon.
struct TracePlayer {
  private let entries: [PointerTraceFile.Entry]
  /// The sender of the events.
  private(set) var sender: InputSender

  /// Makes a player of these entries, in the order of their times.
  init(_ entries: [PointerTraceFile.Entry], to sender: InputSender) {
    self.entries = entries
    self.sender = sender
  }

  /// Sends all entries now, with times that end now.
  ///
  /// - Throws: `Failure`, also when the trace is longer than the period of past events that the daemon accepts.
  mutating func playAtOnce() throws(Failure) {
    guard let first = entries.first?.event.time, let last = entries.last?.event.time else { return }
    guard last - first <= Limits.pointerEventSeconds else {
      throw Failure(
        .usage, "the trace lasts \(JSONText.number(last - first)) s, and --fast is for at most an hour",
        remedy: "omit --fast, or split the trace")
    }
    try send(entries[...], shiftedBy: InputSender.now - last)
  }

  /// Plays the trace at its own pace, moment by moment, with the times of the trace counted from now.
  ///
  /// - Returns: whether the end was reached; if not, the pointers that were down are cancelled.
  mutating func play(until interruption: Interruption) throws(Failure) -> Bool {
    let start = InputSender.now
    for moment in InputMessages.moments(of: entries) {
      guard let time = moment.first?.event.time else { continue }
      repeat {
        if interruption.comes(within: start + time - InputSender.now) {
          try failing { () throws(MotionClientError) in try sender.cancel() }
          return false
        }
      } while InputSender.now < start + time
      try send(moment, shiftedBy: start)
    }
    return true
  }

  private mutating func send(
    _ entries: ArraySlice<PointerTraceFile.Entry>, shiftedBy offset: Double
  ) throws(Failure) {
    do {
      try sender.send(InputMessages.messages(of: entries, shiftedBy: offset))
    } catch {
      throw sender.cancel(after: Failure(error))
    }
  }
}
