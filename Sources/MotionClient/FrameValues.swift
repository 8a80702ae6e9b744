public import MotionModel
public import MotionWire

extension ValueSubscription {
  /// An event that a subscriber receives.
  public enum Event: Hashable, Sendable {
    /// Values of one frame on one topic.
    case values(FrameValues)
    /// Plans that ended, and the number of messages of the topic that were missed before.
    case ended([EndedIntention], missed: UInt64)
    /// Properties whose driver changed, in order, and the number of messages of the topic that were missed before.
    case handedOver([DriverChange], missed: UInt64)
    /// The daemon was restarted: frames and sequence numbers start again, and complete values follow.
    case restarted(epoch: UInt64)
  }
}

/// The values of one frame on one topic.
public struct FrameValues: Hashable, Sendable {
  /// The interest that was subscribed to.
  public var interest: Interest
  /// The frame.
  public var frame: UInt64
  /// The simulated time at the end of the frame, in seconds.
  public var time: Double
  /// The simulated time that the frame covers, in seconds.
  public var dt: Double
  /// The properties that changed in the frame, or all of them if ``isComplete``.
  public var properties: [PropertyValue]
  /// Properties that no longer exist, because their targets were forgotten. Apply them before ``properties``: a
  /// property that was created again in the same frame is in both.
  public var forgotten: [PropertyReference]
  /// Whether these are the last values of every property of the topic. Sent once after subscribing, and after a gap.
  public var isComplete: Bool
  /// The number of messages of the topic that were missed since the previous one. The complete values that follow
  /// contain their effect, as far as it is still current.
  public var missed: UInt64

  /// The values of a frame.
  public init(
    interest: Interest, frame: UInt64, time: Double, dt: Double, properties: [PropertyValue],
    forgotten: [PropertyReference] = [], isComplete: Bool = false, missed: UInt64 = 0
  ) {
    self.interest = interest
    self.frame = frame
    self.time = time
    self.dt = dt
    self.properties = properties
    self.forgotten = forgotten
    self.isComplete = isComplete
    self.missed = missed
  }

  /// The value of one property, or `nil` if it is not among these. Linear in their number.
  public subscript(reference: PropertyReference) -> PropertyValue? {
    properties.first { $0.reference == reference }
  }
}

/// The value and velocity of a property in a frame.
public struct PropertyValue: Hashable, Sendable {
  /// The property.
  public var reference: PropertyReference
  /// Its value.
  public var value: Lanes
  /// Its velocity, per second; `nil` on topics of values alone.
  public var velocity: Lanes?
  /// Whether its driver is late or dead, so that the velocity decays.
  public var isLate: Bool

  /// Value and velocity as a state. On topics of values alone the velocity is zero and has no meaning.
  public var state: PropertyState { PropertyState(value, velocity: velocity) }

  /// The value of a property.
  public init(reference: PropertyReference, value: Lanes, velocity: Lanes? = nil, isLate: Bool = false) {
    self.reference = reference
    self.value = value
    self.velocity = velocity
    self.isLate = isLate
  }
}
