/// An intention as its executor receives it: with its identity, its start, and where its properties are then.
public struct PlannedIntention: Hashable, Sendable {
  /// A property that the intention writes, as it was when the intention's time began.
  public struct Start: Hashable, Sendable {
    /// The property.
    public var property: PropertyName
    /// Its short name in messages.
    public var handle: PropertyHandle
    /// Its value and velocity when the intention's time began.
    public var state: PropertyState

    /// A property with its short name and its state.
    public init(_ property: PropertyName, handle: PropertyHandle, state: PropertyState) {
      self.property = property
      self.handle = handle
      self.state = state
    }
  }

  /// Which plan exactly.
  public var identity: IntentionIdentity
  /// The plan.
  public var intention: Intention
  /// The name it was added under, if any.
  public var name: IntentionName?
  /// The frame with which its time began.
  public var startFrame: UInt64
  /// The simulated time at which its time began, in seconds.
  public var startTime: Double
  /// The properties it writes.
  public var starts: [Start]

  /// A plan that begins at `startTime` with its properties as in `starts`.
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

  /// The state in which `property` was when the intention's time began, if the intention writes it.
  public func start(of property: PropertyName) -> PropertyState? {
    starts.first { $0.property == property }?.state
  }
}
