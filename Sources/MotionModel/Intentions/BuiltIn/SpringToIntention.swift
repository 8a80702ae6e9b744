/// Moves a property to a value by a spring, and finishes when it rests there.
public struct SpringToIntention: BuiltInIntention {
  /// The property that the spring moves.
  public var property: PropertyName
  /// The value at which the movement ends.
  public var destination: Lanes
  /// The behaviour of the spring.
  public var spring: SpringFeel
  /// The rest threshold, in the property's unit: the motion rests when its energy cannot carry it a tenth of this away.
  public var threshold: Double
  /// The initial velocity, per second; `nil` continues with the property's present velocity.
  public var initialVelocity: Lanes?

  /// Creates a spring on `property`; without a threshold, that of the property (``KnownProperty``).
  public init(
    _ property: PropertyName, _ destination: Lanes, _ spring: SpringFeel = .default, threshold: Double? = nil,
    initialVelocity: Lanes? = nil
  ) {
    self.property = property
    self.destination = destination
    self.spring = spring
    self.threshold = threshold ?? KnownProperty.named(property).threshold
    self.initialVelocity = initialVelocity
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "SpringTo", kind: .oneShot, executor: "Physics",
    fields: SpringFields.described(destination: "Where the movement ends."),
    exclusive: SpringFields.exclusive,
    documentation: """
      Moves a property to a destination with a spring, and ends there. One per property: a later one changes \
      destination and spring in flight, and keeps value and velocity. Adds up with the other forces on the property.
      """)

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(
      try reader.property("property"), try reader.lanes("destination"), try SpringFeel(reader),
      threshold: reader.numberIfGiven("threshold"), initialVelocity: reader.lanesIfGiven("initialVelocity"))
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    var intention = Intention(
      Self.description.type,
      [.init("property", .property(property)), .init("destination", FieldValue(destination))] + spring.fields)
    if threshold != KnownProperty.named(property).threshold { intention["threshold"] = .number(threshold) }
    intention["initialVelocity"] = initialVelocity.map(FieldValue.init)
    return intention
  }
}

extension Intention {
  /// Creates an intention that moves a property to a value by a spring. See ``SpringToIntention``.
  public static func springTo(
    _ property: PropertyName, _ destination: Lanes, _ spring: SpringFeel = .default, threshold: Double? = nil,
    initialVelocity: Lanes? = nil
  ) -> Intention {
    SpringToIntention(property, destination, spring, threshold: threshold, initialVelocity: initialVelocity)
      .intention
  }
}
