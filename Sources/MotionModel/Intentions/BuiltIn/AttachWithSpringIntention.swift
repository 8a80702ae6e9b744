/// Pulls a property towards another property, or towards a fixed value, by a spring until it is removed.
public struct AttachWithSpringIntention: BuiltInIntention {
  /// The value to which a property is attached.
  public enum Destination: Hashable, Sendable {
    /// A fixed value.
    case value(Lanes)
    /// The present value of this property.
    case property(PropertyReference)
  }

  /// The property that the spring moves.
  public var property: PropertyName
  /// The value that the spring pulls towards.
  public var destination: Destination
  /// The behaviour of the spring.
  public var spring: SpringFeel
  /// The rest threshold, in the property's unit: the motion rests when its energy cannot carry it a tenth of this away.
  public var threshold: Double

  /// Creates a spring on `property`; without a threshold, that of the property (``KnownProperty``).
  public init(
    _ property: PropertyName, to destination: Destination, _ spring: SpringFeel = .default, threshold: Double? = nil
  ) {
    self.property = property
    self.destination = destination
    self.spring = spring
    self.threshold = threshold ?? KnownProperty.named(property).threshold
  }

  /// The description of the type.
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
      Attaches a property to another one with a spring, until removed: it follows that property one frame later. The \
      spring is a force like AnchoredSpring, and adds up with the other forces on the property.
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

  /// The plan in the runtime's generic form.
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
  /// Creates an intention that attaches a property to another one by a spring. See ``AttachWithSpringIntention``.
  public static func attachWithSpring(
    _ property: PropertyName = "position", to reference: PropertyReference, _ spring: SpringFeel = .default,
    threshold: Double? = nil
  ) -> Intention {
    AttachWithSpringIntention(property, to: .property(reference), spring, threshold: threshold).intention
  }
}
