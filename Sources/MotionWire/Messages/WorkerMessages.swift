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

/// The coordinator is still there.
public struct CoordinatorHeartbeat: Hashable, Sendable {
  /// The last command sent to this worker.
  public var lastCommand: UInt64
  /// The last event of this worker that was applied: the worker need not say it again.
  public var lastEventApplied: UInt64
  /// When the next heartbeat is due, in seconds from this one.
  public var interval: Double

  /// A heartbeat with these numbers.
  public init(lastCommand: UInt64, lastEventApplied: UInt64, interval: Double) {
    self.lastCommand = lastCommand
    self.lastEventApplied = lastEventApplied
    self.interval = interval
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
