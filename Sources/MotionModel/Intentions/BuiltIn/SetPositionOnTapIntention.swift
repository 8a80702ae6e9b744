/// Puts a property where a hand taps.
public struct SetPositionOnTapIntention: BuiltInIntention {
  /// The property that is set.
  public var property: PropertyName

  /// A property that goes where a hand taps.
  public init(_ property: PropertyName = "position") {
    self.property = property
  }

  /// What the type is.
  public static let description = IntentionDescription(
    type: "SetPositionOnTap", kind: .manipulation, executor: "Gesture",
    fields: [
      FieldDescription(
        "property", .property, default: .property("position"), access: .writes,
        "The property that is set to where the tap is: position, or one of your own with two lanes.")
    ],
    documentation: """
      Puts a property where a hand taps, at once and standing. What pulls it, a spring say, pulls it from there.
      """)

  /// What it is for, of the properties that everybody knows.
  private static let known: [PropertyName] = ["position"]

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(try reader.property("property", among: Self.known))
  }

  /// The plan in the one shape that the runtime knows.
  public var intention: Intention {
    Intention(Self.description.type, property == "position" ? [] : [.init("property", .property(property))])
  }
}

extension Intention {
  /// Puts a property where a hand taps. See ``SetPositionOnTapIntention``.
  public static func setPositionOnTap(_ property: PropertyName = "position") -> Intention {
    SetPositionOnTapIntention(property).intention
  }
}
