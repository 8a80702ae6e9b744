/// What a worker says after a frame's tick, or in between: values, which may get lost, and events, which may not.
public struct WorkerUpdate: Hashable, Sendable {
  /// The frame that the values are for; the last one heard of when there was no tick.
  public var frame: UInt64
  /// The values, at most one for each executor and property.
  public var writes: [PropertyWrite]
  /// What happened, in order, numbered without gaps from 1 in each incarnation.
  public var events: [NumberedEvent]
  /// The last command that was applied before.
  public var commandsApplied: UInt64

  /// What a worker says for `frame`.
  public init(frame: UInt64, writes: [PropertyWrite] = [], events: [NumberedEvent] = [], commandsApplied: UInt64) {
    self.frame = frame
    self.writes = writes
    self.events = events
    self.commandsApplied = commandsApplied
  }

  /// An event with its number.
  public struct NumberedEvent: Hashable, Sendable {
    /// Its number in this incarnation of the worker, from 1.
    public var number: UInt64
    /// What happened.
    public var event: WorkerEvent

    /// Numbers an event.
    public init(_ number: UInt64, _ event: WorkerEvent) {
      self.number = number
      self.event = event
    }
  }
}

/// A value that an executor writes to a property.
public struct PropertyWrite: Hashable, Sendable {
  /// The executor that writes.
  public var executor: ExecutorHandle
  /// The property.
  public var property: PropertyHandle
  /// Its value and velocity at the frame's time.
  public var state: PropertyState
  /// What of these the intention itself sets, so that a hand-over does not blend it.
  public var imposes: Imposed
  /// The simulated seconds until the movement ends, if that is known; a hand-over blends no longer.
  public var remaining: Double?

  /// Writes `state` to `property`.
  public init(
    executor: ExecutorHandle, property: PropertyHandle, state: PropertyState, imposes: Imposed = [],
    remaining: Double? = nil
  ) {
    self.executor = executor
    self.property = property
    self.state = state
    self.imposes = imposes
    self.remaining = remaining
  }
}

/// What an intention sets by itself when it takes a property over, instead of going on from where the property is.
public struct Imposed: OptionSet, Hashable, Sendable {
  /// The bits on the wire.
  public let rawValue: UInt8

  /// The set of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value: a tween that says where it comes from.
  public static let value = Imposed(rawValue: 1)
  /// The velocity: a tween without carry, a hand, a spring with an initial velocity.
  public static let velocity = Imposed(rawValue: 2)
}

/// Something that happened in a worker and must not get lost.
public enum WorkerEvent: Hashable, Sendable {
  /// An executor now wants, or no longer wants, the next frame.
  case activity(ExecutorHandle, Bool)
  /// Remote execution started: the executor holds the token, and with it moves these properties; its values count from
  /// these places, if it says so.
  case started(ExecutorHandle, TokenName, moving: [PropertyName], from: [Lanes] = [])
  /// Remote execution ended.
  case ended(ExecutorHandle, TokenName)
  /// A plan is fulfilled or displaced, and gone.
  case finished(ExecutorHandle, IntentionIdentity, Outcome)
  /// A plan cannot be fulfilled, for this reason, and is gone.
  case failed(ExecutorHandle, IntentionIdentity, reason: String)
  /// A plan emits another, as its `ordinal`-th, on the same target.
  case emitted(ExecutorHandle, parent: IntentionIdentity, ordinal: UInt32, Intention, named: IntentionName?)
}

/// Which worker: a plugin's process number `instance`, from 0.
public struct WorkerAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The plugin.
  public var plugin: PluginName
  /// Which of its processes.
  public var instance: Int

  /// The process number `instance` of `plugin`.
  public init(_ plugin: PluginName, _ instance: Int) {
    self.plugin = plugin
    self.instance = instance
  }

  /// Orders by plugin, then by instance.
  public static func < (a: Self, b: Self) -> Bool { (a.plugin, a.instance) < (b.plugin, b.instance) }

  /// `tween.0`
  public var description: String { "\(plugin).\(instance)" }
}
