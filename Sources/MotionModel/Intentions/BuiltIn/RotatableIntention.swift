/// Lets two fingers turn a property.
public struct RotatableIntention: BuiltInIntention {
  /// The property that follows the hand.
  public var property: PropertyName

  /// Creates the intention for a property that follows two fingers.
  public init(_ property: PropertyName = "rotation") {
    self.property = property
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "Rotatable", kind: .manipulation, executor: "Gesture",
    fields: [
      FieldDescription(
        "property", .property, default: .property("rotation"), access: .writes,
        "The property that follows the turn, in radians: rotation, or one of your own with one lane.")
    ],
    documentation: """
      Lets a property be turned by two fingers. While fingers are down it drives the property, over every other movement; \
      on release the property keeps the fingers' velocity.
      """)

  /// The well-known properties that it is meant for.
  private static let known: [PropertyName] = ["rotation"]

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(try reader.property("property", among: Self.known))
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    Intention(Self.description.type, property == "rotation" ? [] : [.init("property", .property(property))])
  }
}

extension Intention {
  /// Creates an intention that lets two fingers turn a property. See ``RotatableIntention``.
  public static func rotatable(_ property: PropertyName = "rotation") -> Intention {
    RotatableIntention(property).intention
  }
}
