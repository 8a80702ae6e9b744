/// A worker's update after a frame's tick, or between ticks: values, which may be lost, and events, which may not.
public struct WorkerUpdate: Hashable, Sendable {
  /// The frame that the values are for. Without a tick, the last frame that the worker received.
  public var frame: UInt64
  /// The values, at most one for each executor and property.
  public var writes: [PropertyWrite]
  /// The events, in order, numbered without gaps from 1 in each incarnation.
  public var events: [NumberedEvent]
  /// The number of the last command applied before this update.
  public var commandsApplied: UInt64
  /// Whether the rows of its writes have a number.
  public var shape = Shape.none
  /// The update as received, if it names a shape: the link makes writes of it.
  package var columns: [UInt8] = []
  /// How the worker encoded it; a change of the update leaves this as it is.
  package var encoded = Encoded()

  /// Creates a worker's update for `frame`.
  public init(frame: UInt64, writes: [PropertyWrite] = [], events: [NumberedEvent] = [], commandsApplied: UInt64) {
    self.frame = frame
    self.writes = writes
    self.events = events
    self.commandsApplied = commandsApplied
  }

  /// The number of which executors write which properties with how many lanes. Numbers are above 0.
  public enum Shape: Hashable, Sendable {
    /// They have none.
    case none
    /// The update has them, and gives them this number.
    case announced(UInt64)
    /// They are those that had this number before. A received update has no writes then.
    case named(UInt64)
  }

  /// The bytes of an update as they were received, for recordings: to encode it again would take longer. All are equal,
  /// since nothing depends on them.
  package struct Encoded: Hashable, Sendable {
    /// Empty if they were not kept.
    package let bytes: [UInt8]

    /// Keeps these bytes.
    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    package static func == (a: Self, b: Self) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
  }

  /// An event with its number.
  public struct NumberedEvent: Hashable, Sendable {
    /// The event's number in this incarnation of the worker, from 1.
    public var number: UInt64
    /// The event itself.
    public var event: WorkerEvent

    /// Creates a numbered event.
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
  /// The property's value and velocity at the frame's time.
  public var state: PropertyState
  /// The parts that the intention itself sets, so that a hand-over does not blend them.
  public var imposes: Imposed
  /// The simulated seconds until the movement ends, if known; a hand-over does not blend for longer than that.
  public var remaining: Double?
  /// The simulated seconds in which a hand-over blends out the difference in velocity, if that is to be sooner than the
  /// difference in value.
  public var carry: Double?

  /// Creates a write of `state` to `property`.
  public init(
    executor: ExecutorHandle, property: PropertyHandle, state: PropertyState, imposes: Imposed = [],
    remaining: Double? = nil, carry: Double? = nil
  ) {
    self.executor = executor
    self.property = property
    self.state = state
    self.imposes = imposes
    self.remaining = remaining
    self.carry = carry
  }
}

/// The parts of a state that an intention sets by itself when it takes over a property, instead of continuing from the
/// property's present state.
public struct Imposed: OptionSet, Hashable, Sendable {
  /// The bits on the wire.
  public let rawValue: UInt8

  /// Creates the set of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value: a tween with an explicit start value.
  public static let value = Imposed(rawValue: 1)
  /// The velocity: a tween without carry, a hand, a spring with an initial velocity.
  public static let velocity = Imposed(rawValue: 2)
}

/// An event in a worker that must not be lost.
public enum WorkerEvent: Hashable, Sendable {
  /// An executor now needs, or no longer needs, the next frame.
  case activity(ExecutorHandle, Bool)
  /// Remote execution started: the executor holds the token and moves these properties with it. If places are given,
  /// its values count from them.
  case started(ExecutorHandle, TokenName, moving: [PropertyName], from: [Lanes] = [])
  /// Remote execution ended.
  case ended(ExecutorHandle, TokenName)
  /// A plan is fulfilled or displaced, and is removed.
  case finished(ExecutorHandle, IntentionIdentity, Outcome)
  /// A plan cannot be fulfilled, for this reason, and is removed.
  case failed(ExecutorHandle, IntentionIdentity, reason: String)
  /// A plan emits another, as its `ordinal`-th, on the same target.
  case emitted(ExecutorHandle, parent: IntentionIdentity, ordinal: UInt32, Intention, named: IntentionName?)
}

/// The address of a worker: a plugin's process number `instance`, from 0.
public struct WorkerAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The plugin.
  public var plugin: PluginName
  /// The index of the plugin's process.
  public var instance: Int

  /// Creates the address of process number `instance` of `plugin`.
  public init(_ plugin: PluginName, _ instance: Int) {
    self.plugin = plugin
    self.instance = instance
  }

  /// Orders by plugin, then by instance.
  public static func < (a: Self, b: Self) -> Bool { (a.plugin, a.instance) < (b.plugin, b.instance) }

  /// `tween.0`
  public var description: String { "\(plugin).\(instance)" }
}
