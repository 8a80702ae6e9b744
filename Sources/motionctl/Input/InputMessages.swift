import MotionFiles
import MotionModel

/// Groups pointer events into messages, in order.
enum InputMessages {
  /// The messages for these entries. A new message begins when the target or the device changes, or the previous one is
  /// full.
  ///
  /// - Parameters:
  ///   - entries: the pointer events.
  ///   - offset: the seconds to add to their times.
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

  /// Groups the entries by time: neighbours with the same time.
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
