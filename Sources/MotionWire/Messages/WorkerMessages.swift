public import MotionModel

/// The versions of the protocol that this code speaks.
public enum ProtocolVersion {
  /// Of greeting and hello.
  public static let handshake = 1...1
  /// Of everything after.
  public static let messages = 1...1
}

/// A worker introduces itself.
public struct Hello: Hashable, Sendable {
  /// The handshake versions it speaks.
  public var handshakeVersions: ClosedRange<Int>
  /// The message versions it speaks.
  public var protocolVersions: ClosedRange<Int>
  /// Which worker it was started as.
  public var address: WorkerAddress
  /// Its process id.
  public var processID: Int32
  /// The types of executors it holds.
  public var executors: [ExecutorType]

  /// A hello of a worker that speaks these versions.
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

/// A worker is accepted: which topics are its own, and how often to be heard.
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

  /// A welcome with these topics.
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

/// A worker that the coordinator did not start asks to be a worker of a plugin, for one life.
public struct Claim: Hashable, Sendable {
  /// The handshake versions it speaks.
  public var handshakeVersions: ClosedRange<Int>
  /// Which worker it wants to be.
  public var address: WorkerAddress
  /// A random number other than 0 that the process keeps as long as it runs.
  public var claimant: UInt64
  /// Counts the lives of the process, from 1: whoever asks for another has given up the one before.
  public var attempt: UInt64
  /// Its process id.
  public var processID: Int32
  /// The name of its machine, for people.
  public var host: String

  /// A claim of a process.
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

/// A worker is what it claimed to be, in the epoch of the message and this incarnation, while its lease lasts.
public struct Assignment: Hashable, Sendable {
  /// Which start of the worker this is.
  public var incarnation: UInt64
  /// How long it may act, in seconds from when it sent the claim that this answers.
  public var lease: Double
  /// The port of the socket of commands, on the host of the link; likewise the others.
  public var commandsPort: UInt16
  /// The port of the socket of ticks.
  public var ticksPort: UInt16
  /// The port of the socket of events.
  public var eventsPort: UInt16
  /// What it does with its outputs when its lease ends.
  public var onLost: PluginManifest.OnLost

  /// An assignment for one life.
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

/// The coordinator is still there.
public struct CoordinatorHeartbeat: Hashable, Sendable {
  /// The last command sent to this worker.
  public var lastCommand: UInt64
  /// The last event of this worker that was applied: the worker need not say it again.
  public var lastEventApplied: UInt64
  /// When the next heartbeat is due, in seconds from this one.
  public var interval: Double
  /// For a worker with a lease: how long it may act, in seconds from when it sent the message that `heardSent` names; 0
  /// for a worker without.
  public var lease: Double
  /// The newest time of sending that was heard of this worker, in nanoseconds of its boot clock.
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

/// A frame is next.
public struct Tick: Hashable, Sendable {
  /// The frame.
  public var frame: Frame
  /// Commands up to this one are applied first.
  public var lastCommand: UInt64

  /// The tick of a frame.
  public init(frame: Frame, lastCommand: UInt64) {
    self.frame = frame
    self.lastCommand = lastCommand
  }
}

/// The worker is still there.
public struct WorkerHeartbeat: Hashable, Sendable {
  /// The last command that it applied.
  public var commandsApplied: UInt64
  /// The last event that it sent.
  public var lastEvent: UInt64
  /// A hash of the tokens that its executors hold; see `TokenSetHash`.
  public var tokens: UInt64
  /// When the next heartbeat is due, in seconds from this one.
  public var interval: Double
  /// How many ticks newer ones have replaced before it got to them.
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
  /// How much it matters.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// For people who debug.
    case debug
    /// What goes on.
    case info
    /// Something may be wrong.
    case warning
    /// Something is wrong.
    case error
  }

  /// How much it matters.
  public var level: Level
  /// The line.
  public var text: String

  /// A line of this level.
  public init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
