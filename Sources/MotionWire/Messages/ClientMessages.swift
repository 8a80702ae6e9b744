public import MotionModel

/// A client introduces itself: the first message on the control socket.
public struct Greeting: Hashable, Sendable {
  /// The handshake versions it speaks.
  public var handshakeVersions: ClosedRange<Int>
  /// The message versions it speaks.
  public var protocolVersions: ClosedRange<Int>
  /// What it calls itself, for logs.
  public var name: String

  /// A greeting of a client that speaks these versions.
  public init(
    handshakeVersions: ClosedRange<Int> = ProtocolVersion.handshake,
    protocolVersions: ClosedRange<Int> = ProtocolVersion.messages, name: String
  ) {
    self.handshakeVersions = handshakeVersions
    self.protocolVersions = protocolVersions
    self.name = name
  }
}

/// The answer to a greeting.
public struct Service: Hashable, Sendable {
  /// The message version to use.
  public var protocolVersion: Int
  /// The address of the values socket.
  public var valuesEndpoint: String
  /// Frames per second.
  public var ratePerSecond: Double
  /// How time runs.
  public var clock: ClockState

  /// Says who serves.
  public init(protocolVersion: Int, valuesEndpoint: String, ratePerSecond: Double, clock: ClockState) {
    self.protocolVersion = protocolVersion
    self.valuesEndpoint = valuesEndpoint
    self.ratePerSecond = ratePerSecond
    self.clock = clock
  }
}

/// The values of one frame on one topic, as parallel arrays.
public struct Values: Hashable, Sendable {
  /// The frame.
  public var frame: UInt64
  /// The simulated time of the frame, in seconds.
  public var time: Double
  /// The simulated time the frame covers, in seconds.
  public var dt: Double
  /// The properties.
  public var handles: [PropertyHandle]
  /// How many lanes each has.
  public var counts: [UInt8]
  /// The lanes of all, one after the other.
  public var lanes: [Double]
  /// The velocities of all, likewise; empty on topics of values alone.
  public var velocities: [Double]
  /// Those that are not where their driver says, because it is late or dead, or was within the last 150 ms.
  public var late: [PropertyHandle]
  /// Whether this repeats the last values of every property of the topic, rather than what changed in the frame.
  public var isComplete: Bool
  /// Properties that are no more, of those that were named on the topic. It comes before what the message says of others.
  public var forgotten: [PropertyHandle]
  /// Which of the messages this is that say the same frame's values, one behind the other, from 0.
  public var part: UInt32
  /// Whether another one follows.
  public var hasMore: Bool

  /// The values of a frame.
  public init(
    frame: UInt64, time: Double, dt: Double, handles: [PropertyHandle] = [], counts: [UInt8] = [],
    lanes: [Double] = [], velocities: [Double] = [], late: [PropertyHandle] = [], isComplete: Bool = false,
    forgotten: [PropertyHandle] = [], part: UInt32 = 0, hasMore: Bool = false
  ) {
    self.frame = frame
    self.time = time
    self.dt = dt
    self.handles = handles
    self.counts = counts
    self.lanes = lanes
    self.velocities = velocities
    self.late = late
    self.isComplete = isComplete
    self.forgotten = forgotten
    self.part = part
    self.hasMore = hasMore
  }
}

/// What a handle stands for.
public struct NamedProperty: Hashable, Sendable {
  /// The handle.
  public var handle: PropertyHandle
  /// The property.
  public var reference: PropertyReference
  /// How many lanes it has.
  public var lanes: Int

  /// A handle with its property.
  public init(handle: PropertyHandle, reference: PropertyReference, lanes: Int) {
    self.handle = handle
    self.reference = reference
    self.lanes = lanes
  }
}
