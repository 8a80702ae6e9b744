/// Lets a property be turned by two fingers.
public struct RotatableIntention: BuiltInIntention {
  /// The property that follows the hand.
  public var property: PropertyName

  /// A property that follows two fingers.
  public init(_ property: PropertyName = "rotation") {
    self.property = property
  }

  /// What the type is.
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

  /// What it is for, of the properties that everybody knows.
  private static let known: [PropertyName] = ["rotation"]

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(try reader.property("property", among: Self.known))
  }

  /// The plan in the one shape that the runtime knows.
  public var intention: Intention {
    Intention(Self.description.type, property == "rotation" ? [] : [.init("property", .property(property))])
  }
}

extension Intention {
  /// Lets a property be turned by two fingers. See ``RotatableIntention``.
  public static func rotatable(_ property: PropertyName = "rotation") -> Intention {
    RotatableIntention(property).intention
  }
}
