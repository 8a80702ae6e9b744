/// Accelerates a property constantly until it is removed: gravity, wind.
public struct ConstantForceIntention: BuiltInIntention {
  /// The property that is accelerated.
  public var property: PropertyName
  /// The acceleration, in the property's unit per s², with the property's lanes.
  public var acceleration: Lanes

  /// Creates a constant force on `property`, given as the acceleration that it causes.
  public init(_ property: PropertyName, acceleration: Lanes) {
    self.property = property
    self.acceleration = acceleration
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "ConstantForce", kind: .standing, executor: "Physics",
    fields: [
      FieldDescription("property", .property, required: true, access: .writes, "The property that is accelerated."),
      FieldDescription(
        "acceleration", .number, .vector, required: true, unit: "value/s²", lanesOf: "property",
        "The acceleration that the force causes, whatever the mass of a spring on the same property."),
    ],
    documentation: """
      Accelerates a property at a constant rate until removed: gravity, wind. Adds up with the other forces on the \
      property. Without a force that brakes or pulls back, the property never comes to rest.
      """)

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(try reader.property("property"), acceleration: try reader.lanes("acceleration"))
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    Intention(
      Self.description.type,
      [.init("property", .property(property)), .init("acceleration", FieldValue(acceleration))])
  }
}

extension Intention {
  /// Creates an intention that accelerates a property constantly, in its unit per s². See ``ConstantForceIntention``.
  public static func constantForce(_ property: PropertyName, acceleration: Lanes) -> Intention {
    ConstantForceIntention(property, acceleration: acceleration).intention
  }
}
