/// A change of a property's driver to another plan, or to none, from a time on.
public struct DriverChange: Hashable, Sendable {
  /// The property.
  public var reference: PropertyReference
  /// The frame in which the change was decided.
  public var frame: UInt64
  /// The simulated time from which on the plan drives the property, in seconds: the start of the frame, or its end if
  /// the frame itself caused the change.
  public var time: Double
  /// The new driver; `nil` if the property has none.
  public var driver: Driver?

  /// The driver of a property, with the plan that it fulfils.
  public struct Driver: Hashable, Sendable {
    /// The executor.
    public var executor: ExecutorType
    /// The plan that it fulfils; of several the latest.
    public var identity: IntentionIdentity
    /// The type of the plan.
    public var type: IntentionType
    /// The name the plan was added under, if any.
    public var name: IntentionName?

    /// Creates a driver with its plan.
    public init(executor: ExecutorType, identity: IntentionIdentity, type: IntentionType, name: IntentionName? = nil) {
      self.executor = executor
      self.identity = identity
      self.type = type
      self.name = name
    }
  }

  /// Creates a change of the driver of a property.
  public init(_ reference: PropertyReference, frame: UInt64, time: Double, driver: Driver?) {
    self.reference = reference
    self.frame = frame
    self.time = time
    self.driver = driver
  }
}
