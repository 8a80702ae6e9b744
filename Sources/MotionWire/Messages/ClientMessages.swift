public import MotionModel

/// A client introduces itself: the first message on the control socket.
public struct Greeting: Hashable, Sendable {
  /// The handshake versions that the client supports.
  public var handshakeVersions: ClosedRange<Int>
  /// The message versions that the client supports.
  public var protocolVersions: ClosedRange<Int>
  /// The client's name for itself, for logs.
  public var name: String

  /// Creates the greeting of a client that supports these versions.
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
  /// The present state of the clock.
  public var clock: ClockState

  /// Creates the answer to a greeting.
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
  /// The number of lanes of each property.
  public var counts: [UInt8]
  /// The lanes of all, one after the other.
  public var lanes: [Double]
  /// The velocities of all, likewise; empty on topics of values alone.
  public var velocities: [Double]
  /// The properties whose values do not follow their driver, because it is late or dead, or was within the last 150 ms.
  public var late: [PropertyHandle]
  /// Whether the message repeats the last values of every property of the topic. Otherwise it holds the changes of the
  /// frame.
  public var isComplete: Bool
  /// Properties that no longer exist, among those that were named on the topic. This takes effect before the values in
  /// the same message.
  public var forgotten: [PropertyHandle]
  /// The index of this message among the consecutive messages with values of the same frame, from 0.
  public var part: UInt32
  /// Whether another message of the same frame follows.
  public var hasMore: Bool

  /// Creates the values of a frame.
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

/// The property that a handle stands for.
public struct NamedProperty: Hashable, Sendable {
  /// The handle.
  public var handle: PropertyHandle
  /// The property.
  public var reference: PropertyReference
  /// The number of its lanes.
  public var lanes: Int

  /// Creates the entry of a handle, with its property and the number of its lanes.
  public init(handle: PropertyHandle, reference: PropertyReference, lanes: Int) {
    self.handle = handle
    self.reference = reference
    self.lanes = lanes
  }
}
