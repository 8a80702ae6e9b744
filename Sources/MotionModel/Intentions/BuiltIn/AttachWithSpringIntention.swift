/// Holds a property to another property, or to a place, by a spring until it is removed.
public struct AttachWithSpringIntention: BuiltInIntention {
  /// What a property is attached to.
  public enum Destination: Hashable, Sendable {
    /// A place.
    case value(Lanes)
    /// Wherever this property is.
    case property(PropertyReference)
  }

  /// The property that the spring moves.
  public var property: PropertyName
  /// Where the spring pulls to.
  public var destination: Destination
  /// How the spring pulls.
  public var spring: SpringFeel
  /// The movement rests when its energy cannot carry it a tenth of this away, in the property's unit.
  public var threshold: Double

  /// A spring on `property`; without a threshold, that of the property (``KnownProperty``).
  public init(
    _ property: PropertyName, to destination: Destination, _ spring: SpringFeel = .default, threshold: Double? = nil
  ) {
    self.property = property
    self.destination = destination
    self.spring = spring
    self.threshold = threshold ?? KnownProperty.named(property).threshold
  }

  /// What the type is.
  public static let description = IntentionDescription(
    type: "AttachWithSpring", kind: .standing, executor: "Physics",
    fields: [
      FieldDescription(
        "property", .property, default: .property("position"), access: .writes, "The property that the spring moves."),
      FieldDescription(
        "to", .reference, .number, .vector, required: true, lanesOf: "property",
        "Where the spring pulls to: a property of any target, of as many lanes, or a place."),
    ] + SpringFields.feel,
    exclusive: SpringFields.exclusive,
    documentation: """
      Ties a property to another one by a spring, until removed: it follows wherever that one goes, one frame behind. \
      The spring is a force like AnchoredSpring, and adds up with others on the property.
      """)

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    let destination: Destination
    if case .reference(let reference)? = reader.value("to") {
      destination = .property(reference)
    } else {
      destination = .value(try reader.lanes("to"))
    }
    self.init(
      try reader.property("property"), to: destination, try SpringFeel(reader),
      threshold: reader.numberIfGiven("threshold"))
  }

  /// The plan in the one shape that the runtime knows.
  public var intention: Intention {
    var intention = Intention(Self.description.type, spring.fields)
    if property != "position" { intention["property"] = .property(property) }
    switch destination {
    case .value(let lanes): intention["to"] = FieldValue(lanes)
    case .property(let reference): intention["to"] = .reference(reference)
    }
    if threshold != KnownProperty.named(property).threshold { intention["threshold"] = .number(threshold) }
    return intention
  }
}

extension Intention {
  /// Ties a property to another one by a spring. See ``AttachWithSpringIntention``.
  public static func attachWithSpring(
    _ property: PropertyName = "position", to reference: PropertyReference, _ spring: SpringFeel = .default,
    threshold: Double? = nil
  ) -> Intention {
    AttachWithSpringIntention(property, to: .property(reference), spring, threshold: threshold).intention
  }
}
