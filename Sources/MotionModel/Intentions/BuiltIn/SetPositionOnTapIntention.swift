/// Sets a property to the location of a tap.
public struct SetPositionOnTapIntention: BuiltInIntention {
  /// The property that is set.
  public var property: PropertyName

  /// Creates the intention for a property that is set by taps.
  public init(_ property: PropertyName = "position") {
    self.property = property
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "SetPositionOnTap", kind: .manipulation, executor: "Gesture",
    fields: [
      FieldDescription(
        "property", .property, default: .property("position"), access: .writes,
        "The property that is set to where the tap is: position, or one of your own with two lanes.")
    ],
    documentation: """
      Sets a property to the place of a tap, at once and with velocity 0. A spring, for example, pulls it from there.
      """)

  /// The well-known properties that it is meant for.
  private static let known: [PropertyName] = ["position"]

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(try reader.property("property", among: Self.known))
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    Intention(Self.description.type, property == "position" ? [] : [.init("property", .property(property))])
  }
}

extension Intention {
  /// Creates an intention that sets a property to the location of a tap. See ``SetPositionOnTapIntention``.
  public static func setPositionOnTap(_ property: PropertyName = "position") -> Intention {
    SetPositionOnTapIntention(property).intention
  }
}
