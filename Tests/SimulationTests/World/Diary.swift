import Logging

/// The events of a simulation, line by line, each with its simulated time.
final class Diary: @unchecked Sendable {
  private let machine: SimulatedMachine
  private(set) var lines: [String] = []

  init(of machine: SimulatedMachine) { self.machine = machine }

  func add(_ line: String) { lines.append("\(machine.now): \(line)") }
}

/// Writes the log of a coordinator into a diary.
struct DiaryLog: LogHandler {
  let diary: Diary
  var metadata = Logger.Metadata()
  var logLevel = Logger.Level.info
  var metadataProvider: Logger.MetadataProvider?
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { diary.add("  \(event.level) \(event.message)") }
}
