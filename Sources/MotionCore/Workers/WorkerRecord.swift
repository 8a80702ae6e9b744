import MotionModel

/// The runtime's record of a worker.
struct WorkerRecord {
  var isProvisioned = false
  /// How many commands were sent to it since it was first provisioned in its present life.
  var commandsSent: UInt64 = 0
  /// The states of read properties that are on their way to it.
  var reads = ReadBacklog()
  /// The last frame for which it sent samples.
  var lastFrame: UInt64 = 0
  /// Its executors.
  var executors: Set<ExecutorHandle> = []
  /// How many of them are active, and how many want frames.
  var activity = ActivityCount()
  /// Those of its executors that owe an acknowledgement.
  var unacknowledged: Set<ExecutorHandle> = []
  /// Those of its executors that answered later than they could, and have sent no sample since.
  var overdue: Set<ExecutorHandle> = []
  /// How many of its writes were refused, over all its lives.
  var refusedWrites: UInt64 = 0
  /// The plans withheld from it while the runtime bisects for the intention on which it crashes; `nil` when none are.
  var bisection: Bisection?

  /// The plans withheld from a worker during a bisection.
  struct Bisection {
    /// When it began, in simulated seconds.
    var since: Double
    /// The plans to be withheld.
    var tried: Set<IntentionIdentity>
    /// These, and the plans added since.
    var withheld: Set<IntentionIdentity>
  }
}
