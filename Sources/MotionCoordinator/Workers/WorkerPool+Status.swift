import MotionCore
import MotionLink
import MotionModel

/// The workers in the status.
extension WorkerPool {
  /// Bytes of all workers' logs in one answer; with many workers each shows less of its own.
  private static let logBytes = 16 << 20

  /// The counters of the links of all workers.
  var linkCounters: LinkCounters { table.slots.values.reduce(into: LinkCounters()) { $0 += $1.counters } }

  /// How many lines of workers were left out of the log.
  var suppressedLines: UInt64 { table.slots.values.reduce(0) { $0 + $1.log.suppressedInAll } }

  /// The workers in the metrics.
  var metricsRows: [MetricsSnapshot.Worker] {
    table.inOrder.map { slot in
      let row = slot.row
      return MetricsSnapshot.Worker(
        address: row.address, state: row.state, restarts: row.restarts,
        executors: runtime.executorCount(in: slot.address))
    }
  }

  /// Remarks about a worker besides how its last life ended: its limits, and its faults although it serves.
  private func remarks(about slot: WorkerSlot) -> [String] {
    var remarks: [String] = []
    let limits = slot.program.launch.limits.description
    if !limits.isEmpty {
      remarks.append("limits: \(limits)" + (launcher.missingShare(of: slot).map { " (\($0))" } ?? ""))
    }
    if !slot.swapProblem.isEmpty { remarks.append("it was not replaced: \(slot.swapProblem)") }
    if table.successors[slot.address] != nil { remarks.append("its successor is being started") }
    if case .bisecting(let bisection) = slot.suspicion.stage {
      let withheld = bisection.remaining.reduce(0) { $0 + $1.count }
      remarks.append("bisecting on which intention it dies: \(withheld) intentions are withheld from it")
    }
    if slot.unreadable.count > 0 {
      remarks.append(
        "messages that could not be decoded: \(slot.unreadable.count), the last: \(slot.unreadable.last)")
    }
    let refused = runtime.refusedWrites(of: slot.address)
    if refused > 0 {
      remarks.append("refused writes: \(refused), to properties of others or of invalid values")
    }
    return remarks
  }

  var pluginRows: [PluginRow] {
    let share = Self.logBytes / max(1, table.slots.count)
    return library.plugins.map { plugin in
      let workers = table.slots(of: plugin.name).map { slot in
        var row = slot.row
        row.log = slot.log.tail(bytes: share)
        row.executors = runtime.executorCount(in: slot.address)
        row.reason = ([row.reason] + remarks(about: slot)).filter { !$0.isEmpty }.joined(separator: "; ")
        return row
      }
      return PluginRow(
        name: plugin.name, path: plugin.path, problem: plugin.problem,
        types: plugin.manifest?.intentions.map(\.type) ?? [], workers: workers)
    }
  }
}
