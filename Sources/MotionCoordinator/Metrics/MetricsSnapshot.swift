import MotionModel

/// How the daemon is at one moment, as far as metrics tell it: taken on the coordinator's thread, in some 20 µs, and made
/// into text elsewhere.
struct MetricsSnapshot: Sendable {
  /// A worker, in short.
  struct Worker: Sendable {
    var address: WorkerAddress
    var state: WorkerRow.State
    var restarts: Int
    var executors: Int
  }

  /// All but plugins and lateness, which are below.
  var status = Status()
  /// How late frames were since the start.
  var lateness = TimeHistogram()
  /// How long groups of the journal's rows took to be written and synced since the start.
  var journalWrites = TimeHistogram()
  var workers: [Worker] = []
  /// The plugins, each with whether something is wrong with it.
  var plugins: [(name: PluginName, hasProblem: Bool)] = []
}
