/// Stretches a target along its movement, and squashes it across, while it moves, until it is removed.
public struct SquashAndStretchIntention: BuiltInIntention {
  /// The strength of the stretch: 1 stretches up to half as long again, 2 to its square, 0 has no effect.
  public var strength: Double
  /// The property whose velocity is used.
  public var source: PropertyName
  /// The property that is stretched: two factors, along and across the movement.
  public var scale: PropertyName
  /// The property that is turned to the direction of movement.
  public var rotation: PropertyName

  /// Creates the intention for a target that stretches as it moves.
  public init(
    strength: Double = 1, of source: PropertyName = "position", scale: PropertyName = "scale",
    rotation: PropertyName = "rotation"
  ) {
    self.strength = strength
    self.source = source
    self.scale = scale
    self.rotation = rotation
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "SquashAndStretch", kind: .standing, executor: "SquashAndStretch",
    fields: [
      FieldDescription(
        "strength", .number, default: .number(1), range: 0...4,
        "How much it stretches: 1 up to 1.5 times the length, 2 up to the square of that, 0 not at all."),
      FieldDescription(
        "of", .property, default: .property("position"), access: .reads, "The property whose velocity is used."),
      FieldDescription(
        "scale", .property, default: .property("scale"), access: .writes,
        "The property that is stretched: two factors, along and across the movement, whose product is 1."),
      FieldDescription(
        "rotation", .property, default: .property("rotation"), access: .writes,
        "The property that is turned to the line of movement."),
      FieldDescription(
        "rest", .vector, default: .vector([1, 1]), range: 1...1, lanesOf: "scale",
        "The two factors at rest, always 1 and 1: they define that scale has two lanes."),
    ],
    documentation: """
      Stretches a target along its movement and squashes it across, more at higher speed, and keeps its volume. It \
      reads the velocity of one property and writes scale, as two factors, and rotation. A reversal on the same line \
      does not turn the target, and at rest it keeps the line of its last movement.
      """)

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(
      strength: try reader.number("strength"), of: try reader.property("of"), scale: try reader.property("scale"),
      rotation: try reader.property("rotation"))
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    var intention = Intention(Self.description.type)
    if strength != 1 { intention["strength"] = .number(strength) }
    if source != "position" { intention["of"] = .property(source) }
    if scale != "scale" { intention["scale"] = .property(scale) }
    if rotation != "rotation" { intention["rotation"] = .property(rotation) }
    return intention
  }
}

extension Intention {
  /// Creates an intention that stretches a target along its movement. See ``SquashAndStretchIntention``.
  public static func squashAndStretch(strength: Double = 1) -> Intention {
    SquashAndStretchIntention(strength: strength).intention
  }
}
