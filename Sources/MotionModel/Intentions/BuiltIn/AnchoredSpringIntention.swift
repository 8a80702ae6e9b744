/// Pulls a property towards an anchor by a spring until it is removed.
public struct AnchoredSpringIntention: BuiltInIntention {
  /// The property that the spring moves.
  public var property: PropertyName
  /// The value that the spring pulls towards.
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
    type: "AnchoredSpring", kind: .standing, executor: "Physics",
    fields: SpringFields.described(destination: "Where the spring pulls to."),
    exclusive: SpringFields.exclusive,
    documentation: """
      Pulls a property to an anchor with a spring, and holds it there until removed. Forces on one property add up: \
      several anchors settle between them. Other movements may take the property over and release it again.
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
  /// Creates an intention that pulls a property towards an anchor by a spring. See ``AnchoredSpringIntention``.
  public static func anchoredSpring(
    _ property: PropertyName, _ destination: Lanes, _ spring: SpringFeel = .default, threshold: Double? = nil,
    initialVelocity: Lanes? = nil
  ) -> Intention {
    AnchoredSpringIntention(property, destination, spring, threshold: threshold, initialVelocity: initialVelocity)
      .intention
  }
}
