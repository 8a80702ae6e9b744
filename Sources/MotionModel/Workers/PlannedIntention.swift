/// An intention in the form that its executor receives: with its identity, its start, and its properties' states at
/// that time.
public struct PlannedIntention: Hashable, Sendable {
  /// A property that the intention writes, with its state at the start of the intention's time.
  public struct Start: Hashable, Sendable {
    /// The property.
    public var property: PropertyName
    /// Its handle in messages.
    public var handle: PropertyHandle
    /// Its value and velocity at the start of the intention's time.
    public var state: PropertyState
    /// Its acceleration then, per second squared, with the lanes of the state; `nil` where it is not known.
    public var acceleration: Lanes?

    /// Creates a property with its handle and its state.
    public init(
      _ property: PropertyName, handle: PropertyHandle, state: PropertyState, acceleration: Lanes? = nil
    ) {
      self.property = property
      self.handle = handle
      self.state = state
      self.acceleration = acceleration
    }
  }

  /// The identity of the plan.
  public var identity: IntentionIdentity
  /// The plan.
  public var intention: Intention
  /// The name that it was added under, if any.
  public var name: IntentionName?
  /// The frame in which its time began.
  public var startFrame: UInt64
  /// The simulated time at which its time began, in seconds.
  public var startTime: Double
  /// The properties that it writes.
  public var starts: [Start]

  /// Creates a plan that begins at `startTime` with its properties as in `starts`.
  public init(
    identity: IntentionIdentity, intention: Intention, name: IntentionName? = nil, startFrame: UInt64,
    startTime: Double, starts: [Start]
  ) {
    self.identity = identity
    self.intention = intention
    self.name = name
    self.startFrame = startFrame
    self.startTime = startTime
    self.starts = starts
  }

  /// Returns the state of `property` at the start of the intention's time, if the intention writes it.
  public func start(of property: PropertyName) -> PropertyState? {
    starts.first { $0.property == property }?.state
  }
}
