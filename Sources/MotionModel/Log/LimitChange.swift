/// Limits that hold a property back from its driver's demand from now on.
public struct LimitChange: Hashable, Sendable {
  /// A kind of limit.
  public enum Limit: String, Hashable, Sendable, CaseIterable {
    /// The range of the value.
    case range
    /// The velocity.
    case velocity
    /// The acceleration, or the jerk.
    case acceleration
  }

  /// The property.
  public var reference: PropertyReference
  /// The limits that hold it back in at least one lane.
  public var limits: [Limit]
  /// The state that the driver demands.
  public var demand: PropertyState
  /// The state of the property.
  public var state: PropertyState

  /// Creates the change of a property.
  public init(_ reference: PropertyReference, by limits: [Limit], demand: PropertyState, state: PropertyState) {
    (self.reference, self.limits, self.demand, self.state) = (reference, limits, demand, state)
  }
}
