/// Makes a target appear: its opacity goes to 1.
public struct FadeInIntention: BuiltInIntention {
  /// The duration of the fade.
  public var duration: Duration
  /// The initial opacity; `nil` starts from the present one.
  public var from: Double?

  /// Creates the intention for a target that appears within `duration`.
  public init(duration: Duration = .milliseconds(300), from: Double? = 0) {
    self.duration = duration
    self.from = from
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "FadeIn", kind: .oneShot, executor: "FadeIn",
    fields: [
      FieldDescription(
        "duration", .duration, default: .duration(.milliseconds(300)), range: 0...Limits.durationSeconds, unit: "s",
        "How long it takes."),
      FieldDescription(
        "from", .number, .choice, default: .number(0), range: 0...1, choices: ["present"],
        "The opacity to start with, or present: start with its present value."),
    ],
    documentation: "Lets a target appear: it emits a Tween of opacity to 1, and ends with it.")

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(duration: try reader.duration("duration"), from: reader.numberIfGiven("from"))
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    var intention = Intention(Self.description.type)
    if duration != .milliseconds(300) { intention["duration"] = .duration(duration) }
    if from != 0 { intention["from"] = from.map(FieldValue.number) ?? .choice("present") }
    return intention
  }

  /// The tween that it emits.
  public var tween: Intention { .tween("opacity", from: from.map { Lanes($0) }, to: 1, duration: duration) }
}

extension Intention {
  /// Creates an intention that makes a target appear. See ``FadeInIntention``.
  public static func fadeIn(duration: Duration = .milliseconds(300), from: Double? = 0) -> Intention {
    FadeInIntention(duration: duration, from: from).intention
  }
}
