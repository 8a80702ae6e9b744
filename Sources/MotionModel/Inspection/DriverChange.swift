/// That another plan, or none, is in charge of a property from a moment on.
public struct DriverChange: Hashable, Sendable {
  /// Which property.
  public var reference: PropertyReference
  /// The frame in which it was settled.
  public var frame: UInt64
  /// The simulated time from which on the plan is in charge, in seconds: the start of the frame, or its end if the frame
  /// itself brought the change.
  public var time: Double
  /// Who is in charge; `nil` when nobody is.
  public var driver: Driver?

  /// Who is in charge of a property, and why.
  public struct Driver: Hashable, Sendable {
    /// The executor.
    public var executor: ExecutorType
    /// The plan that it fulfils; of several the latest.
    public var identity: IntentionIdentity
    /// The type of the plan.
    public var type: IntentionType
    /// The name the plan was added under, if any.
    public var name: IntentionName?

    /// An executor in charge, with its plan.
    public init(executor: ExecutorType, identity: IntentionIdentity, type: IntentionType, name: IntentionName? = nil) {
      self.executor = executor
      self.identity = identity
      self.type = type
      self.name = name
    }
  }

  /// A change of the driver of a property.
  public init(_ reference: PropertyReference, frame: UInt64, time: Double, driver: Driver?) {
    self.reference = reference
    self.frame = frame
    self.time = time
    self.driver = driver
  }
}
