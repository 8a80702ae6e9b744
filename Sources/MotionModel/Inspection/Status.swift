/// How a daemon is: what `motionctl status` shows.
public struct Status: Hashable, Sendable {
  /// The version of the program.
  public var version = ""
  /// Which start of the coordinator this is.
  public var epoch: UInt64 = 0
  /// The process id.
  public var processID: Int32 = 0
  /// Seconds since the start, on the boot clock.
  public var uptime = 0.0
  /// Frames per second while active.
  public var ratePerSecond = 0.0
  /// The clock.
  public var clock = ClockState()
  /// Whether anything moves or may move with the next frame, or an executor holds a token, or a plan is owed to a worker.
  public var isActive = false
  /// The last frame.
  public var frame = Frame(number: 0, time: 0, dt: 0)
  /// How many targets, properties, executors, intentions and tokens there are.
  public var counts = Counts()
  /// What has happened since the start, by name, sorted: frames, skipped frames, late updates, dropped messages, …
  public var counters: [Counter] = []
  /// How late frames were since the start.
  public var lateness = Lateness()
  /// How late frames were in the last minute.
  public var recentLateness = Lateness()
  /// What the process takes from the machine.
  public var load = Load()
  /// The plugins.
  public var plugins: [PluginRow] = []
  /// The folders in which plugins are looked for, in their order.
  public var pluginPaths: [String] = []
  /// The recording that the daemon was started with, if any.
  public var recording: Recording?
  /// The journal, if the daemon keeps one.
  public var journal: Journal?

  /// A status with nothing filled in.
  public init() {}

  /// How many things of each kind a runtime holds.
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
    /// Transactions that wait for their time.
    public var waiting = 0

    /// All zero.
    public init() {}
  }

  /// A recording, and whether it goes on.
  public struct Recording: Hashable, Sendable {
    /// The file.
    public var path: String
    /// Why it has ended, with what to do; empty while it goes on.
    public var problem: String

    /// A recording into a file.
    public init(path: String, problem: String = "") {
      self.path = path
      self.problem = problem
    }
  }

  /// A number that only grows.
  public struct Counter: Hashable, Sendable {
    /// What is counted.
    public var name: String
    /// How often.
    public var value: UInt64

    /// A name with its count.
    public init(_ name: String, _ value: UInt64) {
      self.name = name
      self.value = value
    }
  }
}

/// How simulated time runs.
public struct ClockState: Hashable, Sendable {
  /// The simulated time, in seconds since the runtime's start.
  public var time = 0.0
  /// Simulated seconds per second.
  public var speed = 1.0
  /// Whether time stands.
  public var isPaused = false

  /// Time zero, running at speed 1.
  public init() {}

  /// A clock in this state.
  public init(time: Double, speed: Double, isPaused: Bool) {
    self.time = time
    self.speed = speed
    self.isPaused = isPaused
  }
}

/// A moment, by two clocks of the daemon.
public struct Moment: Hashable, Sendable {
  /// The simulated time, in seconds since the runtime's start.
  public var time: Double
  /// The wall clock, in nanoseconds since 1970. People may set it as they like; no motion depends on it.
  public var wallTime: Int64

  /// A moment.
  public init(time: Double, wallTime: Int64) {
    self.time = time
    self.wallTime = wallTime
  }
}

/// What a client can do to simulated time.
public enum ClockCommand: Hashable, Sendable {
  /// Let time stand.
  case pause
  /// Let time run on.
  case resume
  /// Let time run at this many simulated seconds per second, above 0.
  case speed(Double)
  /// While paused, run this many frames, as fast as the workers answer.
  case step(UInt64)
}

/// A plugin, as queries show it.
public struct PluginRow: Hashable, Sendable {
  /// Its name.
  public var name: PluginName
  /// The folder it was found in.
  public var path: String
  /// What is wrong with it, with the remedy; empty when nothing is.
  public var problem: String
  /// The types of intentions it fulfils.
  public var types: [IntentionType]
  /// Its workers, by instance.
  public var workers: [WorkerRow]

  /// A plugin with its workers.
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
  /// Where a worker is in its life.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Nothing needs it.
    case stopped
    /// Spawned; it has not greeted yet.
    case starting
    /// It greeted and is being told what it has to know.
    case provisioning
    /// It serves.
    case ready
    /// It was asked to finish and exit.
    case draining
    /// It died and waits for its next start.
    case waiting
    /// It died too often and is not started again by itself.
    case quarantined
  }

  /// Which worker.
  public var address: WorkerAddress
  /// Where it is in its life.
  public var state: State
  /// Its process id, 0 without a process.
  public var processID: Int32
  /// Which start of it this is.
  public var incarnation: UInt64
  /// How often it was started again after a death.
  public var restarts: Int
  /// How many executors live in it.
  public var executors: Int
  /// How its last life ended, or what it is waiting for; empty when there is nothing to tell.
  public var reason: String
  /// The last lines of its log.
  public var log: [String]

  /// A worker in a state.
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
