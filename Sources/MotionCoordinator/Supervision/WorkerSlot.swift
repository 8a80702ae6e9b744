import MotionLink
import MotionModel
import ZeroMQ

/// The coordinator's record of one worker of a plugin, through all its lives.
final class WorkerSlot {
  let address: WorkerAddress
  /// The manifest and launch of its next life.
  var manifest: PluginManifest
  var launch: WorkerProcess.Launch

  var life = WorkerLife()
  /// The search for the intention on which it crashes, if there is one.
  var suspicion = Suspicion()
  /// When its present life ended, or when its last message came if it fell silent; `nil` while it lives.
  var lastSign: Duration?
  /// Whether it was fenced because it had fallen silent.
  var fellSilent = false
  /// The remote holder, if the worker is waited for and not started.
  var remote: RemoteHolder?
  /// The link to its present life; `nil` without a process.
  var link: CoordinatorLink?
  /// The number of this life.
  var incarnation: UInt64 = 0
  /// Its name on the link socket.
  var routingID: RoutingID?
  /// The process of its present life; `nil` before it is being spawned and after its end was received.
  var process: WorkerProcess?
  /// The number of that process, while the process or its zombie exists and may be signalled.
  var processID: Int32?
  /// The handle that reports the end of its process.
  var handle: (any WatchedProcess)?
  var registration: Poller.Registration?
  /// When its end is settled without a reason, after the kernel has reported it.
  var endDeadline: Duration?
  var log = LogRing()
  var gate = FloodGate()
  /// Why it was not replaced when a restart was asked for; empty if it was.
  var swapProblem = ""
  /// Why the coordinator ends it, if it does: more informative than the signal it dies of.
  var fenceReason: String?
  /// Whether it is being ended because the machine lacked the resources to watch it.
  var lacksRoom = false
  /// The frame of its last update, for steps that wait for it.
  var lastUpdateFrame: UInt64 = 0
  /// How many of its messages could not be decoded, in all its lives, and the reason for the last of them.
  var unreadable: UInt64 = 0
  var lastUnreadable = ""
  /// The counters of the links of earlier lives.
  var earlierCounters = LinkCounters()
  /// The counters of the links of all its lives.
  var counters: LinkCounters {
    var counters = earlierCounters
    if let link { counters += link.counters }
    return counters
  }

  init(address: WorkerAddress, manifest: PluginManifest, launch: WorkerProcess.Launch) {
    self.address = address
    self.manifest = manifest
    self.launch = launch
  }

  /// Its state, for people.
  var row: WorkerRow {
    var row = WorkerRow(address: address, state: state, incarnation: incarnation, restarts: life.restarts)
    row.processID = processID ?? 0
    row.reason = reason
    return row
  }

  private var state: WorkerRow.State {
    switch life.state {
    case .stopped: .stopped
    case .stopping: .draining
    case .waiting: .waiting
    case .quarantined: .quarantined
    case .running:
      switch link?.state {
      case .ready: .ready
      case .welcomed, .provisioning: .provisioning
      default: .starting
      }
    }
  }

  private var reason: String {
    if case .quarantined(let reason) = life.state { return reason }
    if remote != nil, link == nil { return "waits for a worker that connects with its key" }
    return life.lastReason
  }
}
