/// The behaviour of a spring, given by its physical constants or by its perceived motion.
public enum SpringFeel: Hashable, Sendable {
  /// Stiffness, damping and mass: acceleration = −(tension/mass)·distance − (friction/mass)·velocity.
  case physical(tension: Double, friction: Double, mass: Double = 1)
  /// The period of the same spring without friction, and its bounce: from above −1 (creeps) through 0 (critical, no
  /// overshoot) to 1 (oscillates for ever).
  case perceived(duration: Duration, bounce: Double = 0)

  /// Tension 342, friction 30, mass 1 (specification §9): an overshoot of 1.3 %.
  public static let `default` = SpringFeel.physical(tension: 342, friction: 30, mass: 1)

  /// The duration of a spring for which only the bounce is given, as in SwiftUI: 500 ms.
  public static let defaultDuration = Duration.milliseconds(500)
}

/// The fields that all spring intentions share, defined once so that they cannot diverge.
enum SpringFields {
  static func described(destination: String) -> [FieldDescription] {
    [
      FieldDescription(
        "property", .property, required: true, access: .writes, "The property that the spring moves."),
      FieldDescription("destination", .number, .vector, required: true, lanesOf: "property", destination),
    ] + feel + [initialVelocity]
  }

  /// The fields for the behaviour, in both forms, and for the rest threshold.
  static var feel: [FieldDescription] { physical + perceived + [threshold] }

  /// The mutually exclusive fields: a spring is given in one of the two forms only.
  static let exclusive = ["tension", "friction", "mass"].flatMap { [[$0, "duration"], [$0, "bounce"]] }

  // The bounds keep tension ÷ mass far from overflow (at most 1e15). They are far beyond visible motion at 1000 Hz.
  private static let physical = [
    FieldDescription(
      "tension", .number, default: .number(342), range: 0...1e9, excludesLowerBound: true, unit: "1/s² × mass",
      "How hard the spring pulls for each unit of distance."),
    FieldDescription(
      "friction", .number, default: .number(30), range: 0...1e9, unit: "1/s × mass",
      "How hard the spring brakes for each unit of velocity; 0 swings for ever."),
    FieldDescription(
      "mass", .number, default: .number(1), range: 1e-6...1e6, "The mass that the spring moves: more is slower."),
  ]

  private static let perceived = [
    FieldDescription(
      "duration", .duration, range: 0.001...3600, unit: "s",
      "Instead of tension and friction: about how long the movement seems to take (500ms if only bounce is given)."),
    FieldDescription(
      "bounce", .number, range: -1...1, excludesLowerBound: true,
      "Instead of tension and friction: 0 does not overshoot, 1 swings for ever, below 0 creeps (0)."),
  ]

  private static let threshold = FieldDescription(
    "threshold", .number, range: 0...Double.greatestFiniteMagnitude, excludesLowerBound: true,
    unit: "the property's unit",
    "At rest when the energy left cannot move it by a tenth of this (1; 0.01 for opacity, level, scale, rotation, colors)."
  )

  private static let initialVelocity = FieldDescription(
    "initialVelocity", .number, .vector, unit: "per second", lanesOf: "property",
    "The velocity to start with; without it, the velocity that the property has.")
}

extension SpringFeel {
  /// Reads the form in which the spring is given.
  init(_ reader: FieldReader) throws(Refusal) {
    let duration = reader.durationIfGiven("duration")
    let bounce = reader.numberIfGiven("bounce")
    if duration != nil || bounce != nil {
      self = .perceived(duration: duration ?? Self.defaultDuration, bounce: bounce ?? 0)
    } else {
      self = .physical(
        tension: try reader.number("tension"), friction: try reader.number("friction"), mass: try reader.number("mass"))
    }
  }

  /// The fields that encode this value, without those that have their default.
  var fields: [Intention.Field] {
    switch self {
    case .physical(let tension, let friction, let mass):
      return [
        tension == 342 ? nil : .init("tension", .number(tension)),
        friction == 30 ? nil : .init("friction", .number(friction)), mass == 1 ? nil : .init("mass", .number(mass)),
      ].compactMap { $0 }
    case .perceived(let duration, let bounce):
      let field = Intention.Field("duration", .duration(duration))
      return bounce == 0 ? [field] : [field, .init("bounce", .number(bounce))]
    }
  }
}
