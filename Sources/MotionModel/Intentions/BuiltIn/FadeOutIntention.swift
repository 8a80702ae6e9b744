/// Makes a target disappear: its opacity goes to 0.
public struct FadeOutIntention: BuiltInIntention {
  /// The duration of the fade.
  public var duration: Duration
  /// The initial opacity; `nil` starts from the present one.
  public var from: Double?

  /// Creates the intention for a target that disappears within `duration`, starting at its present opacity by default.
  public init(duration: Duration = .milliseconds(300), from: Double? = nil) {
    self.duration = duration
    self.from = from
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "FadeOut", kind: .oneShot, executor: "FadeOut",
    fields: [
      FieldDescription(
        "duration", .duration, default: .duration(.milliseconds(300)), range: 0...Limits.durationSeconds, unit: "s",
        "How long it takes."),
      FieldDescription(
        "from", .number, .choice, default: .choice("present"), range: 0...1, choices: ["present"],
        "The opacity to start with, or present: start with its present value."),
    ],
    documentation: "Lets a target disappear: it emits a Tween of opacity to 0, and ends with it.")

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(duration: try reader.duration("duration"), from: reader.numberIfGiven("from"))
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    var intention = Intention(Self.description.type)
    if duration != .milliseconds(300) { intention["duration"] = .duration(duration) }
    if let from { intention["from"] = .number(from) }
    return intention
  }

  /// The tween that it emits.
  public var tween: Intention { .tween("opacity", from: from.map { Lanes($0) }, to: 0, duration: duration) }
}

extension Intention {
  /// Creates an intention that makes a target disappear. See ``FadeOutIntention``.
  public static func fadeOut(duration: Duration = .milliseconds(300), from: Double? = nil) -> Intention {
    FadeOutIntention(duration: duration, from: from).intention
  }
}
