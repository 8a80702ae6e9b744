/// The state of a daemon, as `motionctl status` shows it.
public struct Status: Hashable, Sendable {
  /// The version of the program.
  public var version = ""
  /// The number of this start of the coordinator.
  public var epoch: UInt64 = 0
  /// The process id.
  public var processID: Int32 = 0
  /// Seconds since the start, on the boot clock.
  public var uptime = 0.0
  /// Frames per second while active.
  public var ratePerSecond = 0.0
  /// The state of simulated time.
  public var clock = ClockState()
  /// Whether anything moves or may move with the next frame, an executor holds a token, or a plan is yet to be
  /// delivered to a worker.
  public var isActive = false
  /// The last frame.
  public var frame = Frame(number: 0, time: 0, dt: 0)
  /// The numbers of targets, properties, executors, intentions and tokens.
  public var counts = Counts()
  /// The event counters since the start, by name, sorted: frames, skipped frames, late updates, dropped messages, …
  public var counters: [Counter] = []
  /// The lateness of frames since the start.
  public var lateness = Lateness()
  /// The lateness of frames in the last minute.
  public var recentLateness = Lateness()
  /// The resources that the process uses.
  public var load = Load()
  /// The plugins.
  public var plugins: [PluginRow] = []
  /// The folders that are searched for plugins, in their order.
  public var pluginPaths: [String] = []
  /// The recording that the daemon was started with, if any.
  public var recording: Recording?
  /// The journal, if the daemon keeps one.
  public var journal: Journal?
  /// The history, if the daemon keeps one.
  public var history: History?

  /// Creates a status with nothing filled in.
  public init() {}

  /// The number of items of each kind that a runtime holds.
  public struct Counts: Hashable, Sendable {
    /// Targets.
    public var targets = 0
    /// Properties of all targets.
    public var properties = 0
    /// Executors of all targets.
    public var executors = 0
    /// Intentions of all targets.
    public var intentions = 0
    /// Tokens of all executors.
    public var tokens = 0
    /// Transactions that wait for their time, or for the next frame.
    public var waiting = 0

    /// All zero.
    public init() {}
  }

  /// A recording, and whether it is still running.
  public struct Recording: Hashable, Sendable {
    /// The file.
    public var path: String
    /// The reason why it has ended, with the remedy; empty while it is running.
    public var problem: String

    /// Creates a recording into a file.
    public init(path: String, problem: String = "") {
      self.path = path
      self.problem = problem
    }
  }

  /// The last minutes of the run, and whether they are still being kept.
  public struct History: Hashable, Sendable {
    /// How far back it reaches, in seconds.
    public var seconds = 0.0
    /// The size of its files.
    public var bytes: UInt64 = 0
    /// Whether a start after a kill continues from the last frame; otherwise from the last checkpoint.
    public var continues = false
    /// The reason why nothing is added, with the remedy; empty while it is kept.
    public var problem = ""

    /// Creates a history that has nothing yet.
    public init() {}
  }

  /// A number that only grows.
  public struct Counter: Hashable, Sendable {
    /// The name of the counted event.
    public var name: String
    /// The count.
    public var value: UInt64

    /// Creates a counter from a name and its count.
    public init(_ name: String, _ value: UInt64) {
      self.name = name
      self.value = value
    }
  }
}

/// A plugin, as queries show it.
public struct PluginRow: Hashable, Sendable {
  /// Its name.
  public var name: PluginName
  /// The folder that contains it.
  public var path: String
  /// The plugin's problem, with the remedy; empty if there is none.
  public var problem: String
  /// The types of intentions it fulfils.
  public var types: [IntentionType]
  /// Its workers, by instance.
  public var workers: [WorkerRow]

  /// Creates a plugin with its workers.
  public init(name: PluginName, path: String, problem: String, types: [IntentionType], workers: [WorkerRow]) {
    self.name = name
    self.path = path
    self.problem = problem
    self.types = types
    self.workers = workers
  }
}

/// A worker, as queries show it.
public struct WorkerRow: Hashable, Sendable {
  /// The state of a worker's life cycle.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Not running, because no plan needs it.
    case stopped
    /// Spawned; the handshake has not begun.
    case starting
    /// The handshake was received; the coordinator is sending its initial state.
    case provisioning
    /// In service.
    case ready
    /// It was sent the command to drain and exit.
    case draining
    /// Exited; waits for its next start.
    case waiting
    /// Exited too often; it is not restarted automatically.
    case quarantined
  }

  /// The worker's address.
  public var address: WorkerAddress
  /// The state of its life cycle.
  public var state: State
  /// Its process id, 0 without a process.
  public var processID: Int32
  /// The number of its present start.
  public var incarnation: UInt64
  /// The number of restarts after an exit.
  public var restarts: Int
  /// The number of executors that run in it.
  public var executors: Int
  /// The reason for its last exit, or for its waiting; empty if there is none.
  public var reason: String
  /// The last lines of its log.
  public var log: [String]

  /// Creates a worker in a state.
  public init(
    address: WorkerAddress, state: State, processID: Int32 = 0, incarnation: UInt64 = 0, restarts: Int = 0,
    executors: Int = 0, reason: String = "", log: [String] = []
  ) {
    self.address = address
    self.state = state
    self.processID = processID
    self.incarnation = incarnation
    self.restarts = restarts
    self.executors = executors
    self.reason = reason
    self.log = log
  }
}
