import MotionLink
import MotionModel
import ZeroMQ

/// One worker of a plugin, through all its lives: what the coordinator holds for it.
final class WorkerSlot {
  let address: WorkerAddress
  /// What its next life is started with.
  var manifest: PluginManifest
  var launch: WorkerProcess.Launch

  var life = WorkerLife()
  /// On which of its intentions it dies, if on any.
  var suspicion = Suspicion()
  /// When its present life ended, or when it was last heard if it fell silent; `nil` while it lives.
  var lastSign: Duration?
  /// Whether it was ended because it had fallen silent.
  var fellSilent = false
  /// Who has it, if it is waited for and not started.
  var remote: RemoteHolder?
  /// The link to its present life; `nil` without a process.
  var link: CoordinatorLink?
  /// Which start of it this is.
  var incarnation: UInt64 = 0
  /// By which name the link socket knows it.
  var routingID: RoutingID?
  /// The process of its present life; `nil` before it is being spawned and after its end was heard.
  var process: WorkerProcess?
  /// The number of that process, while the process or its zombie is there: what may be signalled.
  var processID: Int32?
  /// What tells of its death.
  var handle: (any WatchedProcess)?
  var registration: Poller.Registration?
  /// When it is said to have ended although how is not known, after the kernel has told of its death.
  var endDeadline: Duration?
  var log = LogRing()
  var gate = FloodGate()
  /// Why it was not replaced when somebody wanted it to be; empty if it was.
  var swapProblem = ""
  /// Why it is being ended, if the coordinator ends it: more telling than the signal it dies of.
  var fenceReason: String?
  /// Whether it is being ended because the machine lacked what it takes to watch it.
  var lacksRoom = false
  /// The frame of its last update, for steps that wait for it.
  var lastUpdateFrame: UInt64 = 0
  /// How many of its messages could not be read, in all its lives, and why not the last of them.
  var unreadable: UInt64 = 0
  var lastUnreadable = ""
  /// What the links of earlier lives counted.
  var earlierCounters = LinkCounters()
  /// What the links of all its lives counted.
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

  /// Where it is in its life, for people.
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
