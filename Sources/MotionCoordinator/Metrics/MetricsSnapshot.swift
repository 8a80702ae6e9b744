import MotionModel

/// The state of the daemon at one moment, for metrics: taken on the coordinator's thread, in some 20 µs, and formatted
/// on another.
struct MetricsSnapshot: Sendable {
  /// The data about a worker.
  struct Worker: Sendable {
    var address: WorkerAddress
    var state: WorkerRow.State
    var restarts: Int
    var executors: Int
  }

  /// The status, without plugins and lateness, which are below.
  var status = Status()
  /// The lateness of frames since the start.
  var lateness = TimeHistogram()
  /// How long groups of the journal's rows took to be written and synced since the start.
  var journalWrites = TimeHistogram()
  var workers: [Worker] = []
  /// The plugins, each with whether it has a problem.
  var plugins: [(name: PluginName, hasProblem: Bool)] = []
}
