/// Lets a pinch of two fingers scale a property.
public struct PinchableIntention: BuiltInIntention {
  /// The property that follows the hand.
  public var property: PropertyName

  /// Creates the intention for a property that follows two fingers.
  public init(_ property: PropertyName = "scale") {
    self.property = property
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "Pinchable", kind: .manipulation, executor: "Gesture",
    fields: [
      FieldDescription(
        "property", .property, default: .property("scale"), access: .writes,
        "The property that follows the pinch: scale, width, height, cornerRadius, or one of your own.")
    ],
    documentation: """
      Lets a property be scaled by a pinch. While fingers are down it drives the property, over every other movement; on \
      release the property keeps the fingers' velocity.
      """)

  /// The well-known properties that it is meant for.
  private static let known: [PropertyName] = ["scale", "width", "height", "cornerRadius"]

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(try reader.property("property", among: Self.known))
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    Intention(Self.description.type, property == "scale" ? [] : [.init("property", .property(property))])
  }
}

extension Intention {
  /// Creates an intention that lets a pinch of two fingers scale a property. See ``PinchableIntention``.
  public static func pinchable(_ property: PropertyName = "scale") -> Intention {
    PinchableIntention(property).intention
  }
}
