public import MotionModel

/// The versions of the protocol that this code supports.
public enum ProtocolVersion {
  /// The versions of greeting and hello.
  public static let handshake = 1...1
  /// The versions of all other messages.
  public static let messages = 1...1
}

/// A worker introduces itself.
public struct Hello: Hashable, Sendable {
  /// The handshake versions that the worker supports.
  public var handshakeVersions: ClosedRange<Int>
  /// The message versions that the worker supports.
  public var protocolVersions: ClosedRange<Int>
  /// The address with which the worker was started.
  public var address: WorkerAddress
  /// Its process id.
  public var processID: Int32
  /// The types of executors that the worker holds.
  public var executors: [ExecutorType]

  /// Creates the hello of a worker that supports these versions.
  public init(
    handshakeVersions: ClosedRange<Int> = ProtocolVersion.handshake,
    protocolVersions: ClosedRange<Int> = ProtocolVersion.messages, address: WorkerAddress, processID: Int32,
    executors: [ExecutorType]
  ) {
    self.handshakeVersions = handshakeVersions
    self.protocolVersions = protocolVersions
    self.address = address
    self.processID = processID
    self.executors = executors
  }
}

/// The answer to hello: the worker is accepted. It names the worker's topics, and states whether the worker gets ticks.
public struct Welcome: Hashable, Sendable {
  /// The message version to use.
  public var protocolVersion: Int
  /// The topic of its commands.
  public var commandTopic: String
  /// The topic of its ticks.
  public var tickTopic: String
  /// The topic of its events.
  public var eventTopic: String
  /// Whether it gets ticks.
  public var wantsUpdates: Bool

  /// Creates a welcome with these topics.
  public init(
    protocolVersion: Int, commandTopic: String, tickTopic: String, eventTopic: String, wantsUpdates: Bool
  ) {
    self.protocolVersion = protocolVersion
    self.commandTopic = commandTopic
    self.tickTopic = tickTopic
    self.eventTopic = eventTopic
    self.wantsUpdates = wantsUpdates
  }
}

/// A worker that the coordinator did not start claims to be a worker of a plugin, for one incarnation.
public struct Claim: Hashable, Sendable {
  /// The handshake versions that the worker supports.
  public var handshakeVersions: ClosedRange<Int>
  /// The address that the worker claims.
  public var address: WorkerAddress
  /// A random number other than 0 that the process keeps as long as it runs.
  public var claimant: UInt64
  /// Counts the incarnations that the process has claimed, from 1. A claim with a higher number ends the previous
  /// incarnation.
  public var attempt: UInt64
  /// Its process id.
  public var processID: Int32
  /// The name of its machine, for people.
  public var host: String

  /// Creates a claim of a process.
  public init(
    handshakeVersions: ClosedRange<Int> = ProtocolVersion.handshake, address: WorkerAddress, claimant: UInt64,
    attempt: UInt64, processID: Int32, host: String
  ) {
    self.handshakeVersions = handshakeVersions
    self.address = address
    self.claimant = claimant
    self.attempt = attempt
    self.processID = processID
    self.host = host
  }
}

/// The answer to a claim. The worker has the claimed assignment in the epoch of the message and this incarnation, while
/// its lease lasts.
public struct Assignment: Hashable, Sendable {
  /// The number of the worker's start.
  public var incarnation: UInt64
  /// The lease: how long the worker may act, in seconds from when it sent the claim that this answers.
  public var lease: Double
  /// The port of the socket of commands, on the host of the link; likewise the others.
  public var commandsPort: UInt16
  /// The port of the socket of ticks.
  public var ticksPort: UInt16
  /// The port of the socket of events.
  public var eventsPort: UInt16
  /// The worker's action on its outputs when its lease ends.
  public var onLost: PluginManifest.OnLost

  /// Creates an assignment for one incarnation.
  public init(
    incarnation: UInt64, lease: Double, commandsPort: UInt16, ticksPort: UInt16, eventsPort: UInt16,
    onLost: PluginManifest.OnLost
  ) {
    self.incarnation = incarnation
    self.lease = lease
    self.commandsPort = commandsPort
    self.ticksPort = ticksPort
    self.eventsPort = eventsPort
    self.onLost = onLost
  }
}

/// The heartbeat of the coordinator to one worker.
public struct CoordinatorHeartbeat: Hashable, Sendable {
  /// The last command sent to this worker.
  public var lastCommand: UInt64
  /// The last event of this worker that was applied: the worker need not resend it.
  public var lastEventApplied: UInt64
  /// When the next heartbeat is due, in seconds from this one.
  public var interval: Double
  /// For a worker with a lease: how long it may act, in seconds from when it sent the message that `heardSent`
  /// identifies; 0 for a worker without a lease.
  public var lease: Double
  /// The newest time of sending among the messages received from this worker, in nanoseconds of its boot clock.
  public var heardSent: UInt64

  /// A heartbeat with these numbers.
  public init(
    lastCommand: UInt64, lastEventApplied: UInt64, interval: Double, lease: Double = 0, heardSent: UInt64 = 0
  ) {
    self.lastCommand = lastCommand
    self.lastEventApplied = lastEventApplied
    self.interval = interval
    self.lease = lease
    self.heardSent = heardSent
  }
}

/// The announcement of the next frame.
public struct Tick: Hashable, Sendable {
  /// The frame.
  public var frame: Frame
  /// The last command that the worker must apply before it runs the frame.
  public var lastCommand: UInt64
  /// The number of the worker's shape that the coordinator has; 0 if none (``WorkerUpdate/Shape``).
  public var shape: UInt64

  /// Creates the tick of a frame.
  public init(frame: Frame, lastCommand: UInt64, shape: UInt64 = 0) {
    self.frame = frame
    self.lastCommand = lastCommand
    self.shape = shape
  }
}

/// The heartbeat of a worker.
public struct WorkerHeartbeat: Hashable, Sendable {
  /// The last command that it applied.
  public var commandsApplied: UInt64
  /// The last event that it sent.
  public var lastEvent: UInt64
  /// A hash of the tokens that its executors hold; see `TokenSetHash`.
  public var tokens: UInt64
  /// When the next heartbeat is due, in seconds from this one.
  public var interval: Double
  /// How many ticks were replaced by newer ones before the worker processed them.
  public var conflatedTicks: UInt64

  /// A heartbeat with these numbers.
  public init(
    commandsApplied: UInt64, lastEvent: UInt64, tokens: UInt64, interval: Double, conflatedTicks: UInt64 = 0
  ) {
    self.commandsApplied = commandsApplied
    self.lastEvent = lastEvent
    self.tokens = tokens
    self.interval = interval
    self.conflatedTicks = conflatedTicks
  }
}

/// A line for the coordinator's log.
public struct LogLine: Hashable, Sendable {
  /// The severity of a line.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// Details for debugging.
    case debug
    /// A normal event.
    case info
    /// A possible problem.
    case warning
    /// A problem.
    case error
  }

  /// The severity.
  public var level: Level
  /// The line.
  public var text: String

  /// Creates a line with this severity.
  public init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
