import MotionLink
import MotionModel
import ZeroMQ

/// The coordinator's record of one worker of a plugin, through all its lives.
///
/// ``life`` decides when there is a process; ``state`` is what there is of the present life.
final class WorkerSlot {
  /// The present life of the worker.
  enum State {
    /// It has no process, and no process elsewhere is connected as this worker. It may wait for its start.
    case absent
    /// Its messages count. Its process is being spawned, runs here, or runs elsewhere.
    case connected(WorkerConversation, Body)
    /// Its messages no longer count: it was fenced, or another worker has its slot. Its process has not ended yet.
    case disconnected(LocalProcess)
    /// The kernel has reported the end of its process. The reason follows; by this time the end is settled without it.
    case exited(WorkerProcess, reasonDue: Duration)
  }

  /// The process of a connected worker.
  enum Body {
    case local(LocalProcess)
    /// It was not started here, and cannot be observed or killed.
    case remote
  }

  /// Why the coordinator ends the present life, if it does: more informative than the signal that ends it.
  enum Fencing: Equatable {
    case none
    case fenced(String)
    /// It was fenced because it had fallen silent.
    case silent(String)
    /// The machine lacked the resources to watch its process.
    case unwatchable(String)

    var reason: String? {
      switch self {
      case .none: nil
      case .fenced(let reason), .silent(let reason), .unwatchable(let reason): reason
      }
    }
  }

  let address: WorkerAddress
  /// The manifest and launch of its next life.
  var program: WorkerProgram
  var life = WorkerLife()
  /// The number of the present life.
  private(set) var incarnation: UInt64 = 0
  private(set) var state = State.absent
  private(set) var fencing = Fencing.none
  /// When the present life ended, or when its last message came if it fell silent; `nil` while it lives.
  private(set) var lastSign: Duration?
  /// The search for the intention on which it crashes, if there is one.
  var suspicion = Suspicion()
  /// The remote holder, if the worker is waited for and not started.
  var remote: RemoteHolder?
  var log = LogRing()
  var gate = FloodGate()
  /// Why it was not replaced when a restart was requested; empty if it was.
  var swapProblem = ""
  /// How many of its messages could not be decoded, in all its lives, and the reason for the last of them.
  private(set) var unreadable: (count: UInt64, last: String) = (0, "")
  /// The counters of the links of earlier lives.
  private var earlierCounters = LinkCounters()

  init(address: WorkerAddress, program: WorkerProgram) {
    self.address = address
    self.program = program
  }

  // MARK: The present life

  /// The conversation with the present life; `nil` when its messages do not count.
  var conversation: WorkerConversation? {
    if case .connected(let conversation, _) = state { conversation } else { nil }
  }

  /// The link to the present life. It is changed through ``conversation``.
  var link: CoordinatorLink? { conversation?.link }

  /// The process of the present life, until its end was settled.
  var process: WorkerProcess? {
    switch state {
    case .connected(_, .local(let local)), .disconnected(let local): local.process
    case .exited(let process, _): process
    case .connected(_, .remote), .absent: nil
    }
  }

  /// Its running process, which may be signalled.
  var running: LocalProcess.Running? {
    switch state {
    case .connected(_, .local(let local)), .disconnected(let local): local.running
    case .connected(_, .remote), .exited, .absent: nil
    }
  }

  /// When its end is settled without a reason, after the kernel has reported it.
  var reasonDue: Duration? { if case .exited(_, let due) = state { due } else { nil } }

  /// The counters of the links of all its lives.
  var counters: LinkCounters {
    var counters = earlierCounters
    if let conversation { counters += conversation.link.counters }
    return counters
  }

  /// A life begins.
  func begin(_ conversation: WorkerConversation, _ body: Body, incarnation: UInt64) {
    guard case .absent = state else { preconditionFailure("\(address) begins a life while it is \(state)") }
    (fencing, lastSign, self.incarnation) = (.none, nil, incarnation)
    suspicion.begins()
    state = .connected(conversation, body)
  }

  /// Its process runs.
  func spawned(_ running: LocalProcess.Running) {
    switch state {
    case .connected(let conversation, .local(var local)):
      local.running = running
      state = .connected(conversation, .local(local))
    case .disconnected(var local):
      local.running = running
      state = .disconnected(local)
    case .connected(_, .remote), .exited, .absent: preconditionFailure("\(address) is spawned while it is \(state)")
    }
  }

  /// Its messages count no more, for a reason that is better than that of its end.
  func fence(_ fencing: Fencing, lastHeard: Duration? = nil) {
    self.fencing = fencing
    if let lastHeard { lastSign = lastHeard }
  }

  /// Ends its conversation.
  ///
  /// - Returns: the conversation; `nil` if there was none.
  func disconnect() -> WorkerConversation? {
    guard case .connected(let conversation, let body) = state else { return nil }
    earlierCounters += conversation.link.counters
    if let until = conversation.link.heldUntil { remote?.assignment.ended(heldUntil: until) }
    switch body {
    case .local(let local): state = .disconnected(local)
    case .remote: state = .absent
    }
    return conversation
  }

  /// The kernel has reported the end of its process, after its conversation was ended.
  func exited(at now: Duration, reasonDue: Duration) {
    guard case .disconnected(let local) = state else { preconditionFailure("\(address) exits while it is \(state)") }
    state = .exited(local.process, reasonDue: reasonDue)
    lastSign = lastSign ?? now
  }

  /// The end of its process is settled.
  func settle() {
    switch state {
    case .disconnected, .exited, .absent: state = .absent
    case .connected: preconditionFailure("\(address) ends while it is \(state)")
    }
  }

  /// A message of it could not be decoded.
  func note(unreadable error: String) { unreadable = (unreadable.count + 1, error) }

  /// Takes the place of another worker, and continues its counts.
  func succeed(_ former: WorkerSlot) {
    life.succeed(former.life)
    earlierCounters += former.counters
  }

  // MARK: Rows

  /// Its state, for people.
  var row: WorkerRow {
    var row = WorkerRow(address: address, state: rowState, incarnation: incarnation, restarts: life.restarts)
    row.processID = running?.id ?? 0
    row.reason = reason
    return row
  }

  private var rowState: WorkerRow.State {
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
    if remote != nil, conversation == nil { return "waits for a worker that connects with its key" }
    return life.lastReason
  }
}

/// The program of a plugin's workers: its manifest, and how it is launched.
struct WorkerProgram {
  var manifest: PluginManifest
  var launch: WorkerProcess.Launch
}

/// A process that was started here.
struct LocalProcess {
  /// A process that runs, or its zombie.
  struct Running {
    let id: Int32
    /// Reports the end of the process.
    let handle: any WatchedProcess
    let registration: Poller.Registration
  }

  let process: WorkerProcess
  /// `nil` while it is being spawned.
  var running: Running?
}

/// The conversation with one life of a worker. A class, so that a message changes the link where it lies.
final class WorkerConversation {
  var link: CoordinatorLink
  /// Its name on the link socket, once it has sent something there.
  var routingID: RoutingID?
  /// The frame of its last update, for steps that wait for it.
  var lastUpdateFrame: UInt64 = 0

  init(_ link: CoordinatorLink) { self.link = link }
}
