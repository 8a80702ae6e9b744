/// Limits that hold a property back from its driver's demand from now on.
public struct LimitChange: Hashable, Sendable {
  /// The property.
  public var reference: PropertyReference
  /// The limits that hold it back in at least one lane.
  public var limits: [LimitKind]
  /// The state that the driver demands.
  public var demand: PropertyState
  /// The state of the property.
  public var state: PropertyState
  /// How far the property goes beyond its range although it brakes as fast as it may, in its units; `nil` if it stops
  /// within.
  public var overrun: Lanes?

  /// Creates the change of a property.
  public init(_ reference: PropertyReference, by limits: [LimitKind], demand: PropertyState, state: PropertyState) {
    (self.reference, self.limits, self.demand, self.state) = (reference, limits, demand, state)
  }
}
