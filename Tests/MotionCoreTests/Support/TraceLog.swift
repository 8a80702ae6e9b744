import MotionCore
import MotionModel

/// Reads the log of a runtime, for tests that need several of its parts: lines of text, ended plans, drivers, frames of
/// a recording.
final class TraceLog {
  private let log: EventLog
  private var pending: [String] = []
  private var ended: [EndedIntention] = []
  private var drivers: [DriverChange] = []
  private var changes: [CausedChange] = []
  private var recorder = FrameRecorder()
  private var frames: [RecordedFrame] = []
  /// The executors that drive, to distinguish another driver from another plan of the same.
  private var driving: [PropertyReference: ExecutorKey] = [:]

  /// Reads everything from now on.
  init(_ runtime: Runtime) {
    log = runtime.log
    log.keeps.formUnion(.everything)
  }

  /// A line for each event and change since the last ``take()``.
  var lines: [String] {
    read()
    return pending
  }

  /// Takes out the lines since the last call.
  func take() -> [String] {
    defer { pending = [] }
    return lines
  }

  /// Takes out the ended plans since the last call.
  func takeEnded() -> [EndedIntention] {
    read()
    defer { ended = [] }
    return ended
  }

  /// Takes out the changes of drivers since the last call.
  func takeDrivers() -> [DriverChange] {
    read()
    defer { drivers = [] }
    return drivers
  }

  /// Takes out the changes since the last call, with their causes.
  func takeChanges() -> [CausedChange] {
    read()
    defer { changes = [] }
    return changes
  }

  /// Takes out the frames of a recording since the last call.
  func takeFrames() -> [RecordedFrame] {
    read()
    defer { frames = [] }
    return frames
  }

  private func read() {
    for record in log.take() {
      pending += lines(of: record)
      ended += record.ended
      drivers += record.drivers
      changes += record.changes
      if let frame = recorder.record(record) { frames.append(frame) }
    }
  }

  /// The lines of a record: the line of a transaction follows everything that it caused.
  private func lines(of record: FrameRecord) -> [String] {
    var lines: [String] = []
    var next = 0
    func apply(before end: Int) {
      for event in record.events[next..<end] {
        if case .commit(let sequence, _) = event.event { lines.append("commit \(sequence)") }
      }
      next = end
    }
    for entry in record.changes {
      let event = record.events[next...].firstIndex { ChangeCause($0.event) == entry.cause.withoutOperation }
      if let event { apply(before: event) } else if entry.cause != .call { apply(before: record.events.count) }
      if let line = line(entry.change) { lines.append(line) }
    }
    apply(before: record.events.count)
    return lines
  }

  private func line(_ change: RuntimeChange) -> String? {
    switch change {
    case .added(let identity, let name, let key):
      return "add \(identity)\(name.map { " \"\($0)\"" } ?? "") \(key)"
    case .removed(let identity, let name, let key):
      return name.map { "remove \(identity) \"\($0)\" \(key)" }
    case .ended(let plan, let executor):
      let key = ExecutorKey(plan.target, executor)
      return plan.outcome == .failed
        ? "fail \(plan.identity) \(key)" : "finish \(plan.identity) \(plan.outcome) \(key)"
    case .driver(let change):
      let key = change.driver.map { ExecutorKey(change.reference.target, $0.executor) }
      guard driving[change.reference] != key else { return nil }
      driving[change.reference] = key
      return "driver \(change.reference) \(key.map { "\($0)" } ?? "none")"
    case .executorCreated(let key): return "executor \(key)"
    case .executorRemoved(let key):
      driving = driving.filter { $0.value != key }
      return "no executor \(key)"
    case .tokenStarted(let token, let key): return "start \(token) \(key)"
    case .tokenEnded(let token, let key): return "end \(token) \(key)"
    case .activity(let isActive): return isActive ? "active" : "inactive"
    case .writeRefused(let key, let property, _): return "refuse \(property) \(key)"
    case .workerWriteRefused, .tokenRefused, .late, .limitsFailed, .limitEntered, .limitLeft:
      return nil
    }
  }
}

extension ChangeCause {
  /// The cause without the number of the operation.
  fileprivate var withoutOperation: ChangeCause {
    guard case .transaction(let sequence, _) = self else { return self }
    return .transaction(sequence: sequence, operation: nil)
  }
}

extension EventLog {
  /// Takes out the records, and returns the plans that ended.
  func takeEnded() -> [EndedIntention] { take().flatMap(\.ended) }
}
