/// Decelerates a property in proportion to its velocity until it is removed.
public struct FrictionIntention: BuiltInIntention {
  /// The property that is decelerated.
  public var property: PropertyName
  /// The initial rate at which velocity is lost: velocity falls as e^(−coefficient·t). 1/s.
  public var coefficient: Double

  /// Creates a friction on `property`, in 1/s.
  public init(_ property: PropertyName, coefficient: Double) {
    self.property = property
    self.coefficient = coefficient
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "Friction", kind: .standing, executor: "Physics",
    fields: [
      FieldDescription("property", .property, required: true, access: .writes, "The property that is braked."),
      FieldDescription(
        "coefficient", .number, required: true, range: 0...1e9, unit: "1/s",
        "How fast velocity is lost: it falls as e to the power of −coefficient × seconds."),
    ],
    documentation: """
      Brakes a property in proportion to its velocity until removed: a throw glides to a stop. Adds up with the other \
      forces on the property.
      """)

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(try reader.property("property"), coefficient: try reader.number("coefficient"))
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    Intention(
      Self.description.type,
      [.init("property", .property(property)), .init("coefficient", .number(coefficient))])
  }
}

extension Intention {
  /// Creates an intention that decelerates a property, in 1/s. See ``FrictionIntention``.
  public static func friction(_ property: PropertyName, coefficient: Double) -> Intention {
    FrictionIntention(property, coefficient: coefficient).intention
  }
}
