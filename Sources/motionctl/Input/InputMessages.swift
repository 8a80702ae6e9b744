import MotionFiles
import MotionModel

/// Puts what pointers did into messages, in order.
enum InputMessages {
  /// The messages of some entries: a new one where the target or the device changes, or the most events are in it.
  ///
  /// - Parameters:
  ///   - entries: what the pointers did.
  ///   - offset: seconds that are added to their times.
  static func messages(
    of entries: some Sequence<PointerTraceFile.Entry>, shiftedBy offset: Double
  ) -> [PointerInput] {
    var messages: [PointerInput] = []
    for entry in entries {
      var event = entry.event
      event.time += offset
      messages.append(event, on: entry.target, from: entry.device)
    }
    return messages
  }

  /// The entries of each moment: neighbours with one time.
  static func moments(of entries: [PointerTraceFile.Entry]) -> [ArraySlice<PointerTraceFile.Entry>] {
    var moments: [ArraySlice<PointerTraceFile.Entry>] = []
    var start = 0
    for index in entries.indices {
      let isLast = index + 1 == entries.count
      if isLast || entries[index + 1].event.time != entries[index].event.time {
        moments.append(entries[start...index])
        start = index + 1
      }
    }
    return moments
  }
}
