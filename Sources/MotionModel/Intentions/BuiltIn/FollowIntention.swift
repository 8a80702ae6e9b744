/// Moves a property by an input value, such as a fader's, until it is removed.
public struct FollowIntention: BuiltInIntention {
  /// How the property follows.
  public enum Mode: Hashable, Sendable {
    /// A spring pulls it to the value.
    case spring(SpringFeel)
    /// It follows without overshoot, smoothed with this time constant.
    case smoothing(Duration)
    /// It is at the value in each frame.
    case direct
  }

  /// The time constant of smoothing without one.
  public static let defaultTimeConstant = Duration.milliseconds(100)

  /// The property that moves.
  public var property: PropertyName
  /// The name of the input value.
  public var input: InputName
  /// How it follows.
  public var mode: Mode
  /// The factor between the input value and the property.
  public var scale: Double
  /// The value of the property where the input is 0; `nil` is 0.
  public var offset: Lanes?
  /// The rest threshold of the spring, in the property's unit.
  public var threshold: Double

  /// Creates an intention that moves `property` to `scale` × `input` + `offset`.
  public init(
    _ property: PropertyName, _ input: InputName, _ mode: Mode = .spring(.default), scale: Double = 1,
    offset: Lanes? = nil, threshold: Double? = nil
  ) {
    self.property = property
    self.input = input
    self.mode = mode
    self.scale = scale
    self.offset = offset
    self.threshold = threshold ?? KnownProperty.named(property).threshold
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "Follow", kind: .standing, executor: "Follow",
    fields: [
      FieldDescription("property", .property, required: true, access: .writes, "The property that moves."),
      FieldDescription("input", .text, required: true, "The name of the input value, such as fader.1."),
      FieldDescription(
        "mode", .choice, default: .choice("spring"), choices: ["spring", "smoothing", "direct"],
        """
        How it follows: by a spring, smoothed without overshoot, or at the value in each frame. With direct, a hand-over \
        fades within 150 ms.
        """),
      FieldDescription(
        "scale", .number, default: .number(1), range: -1e9...1e9, "The factor between the input and the property."),
      FieldDescription(
        "offset", .number, .vector, lanesOf: "property", "The value of the property where the input is 0 (default: 0)."),
      FieldDescription(
        "timeConstant", .duration, range: 0.001...3600, unit: "s",
        "Of smoothing: 90 % of a step are reached after 3.9 times this (100ms)."),
    ] + SpringFields.feel,
    exclusive: SpringFields.exclusive,
    documentation: """
      Moves a property by a live input value until removed: to scale × value + offset. Programs send the values: \
      motionctl input --value fader.1=0.3. A value of one number moves all lanes; a value of several moves a property of \
      as many. While the input is absent, the property stays; when it is lost, the property comes to rest at the last value.
      """)

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    let text = try reader.text("input")
    guard let input = try? InputName(text) else {
      throw Refusal(
        .value, field: "input", "\"\(text.prefix(64))\" is not a valid input name",
        remedy: "\(InputNameRule.rule).")
    }
    let word = try reader.choice("mode")
    if word != "smoothing", reader.value("timeConstant") != nil { throw Self.misplaced("timeConstant", "smoothing") }
    if word != "spring", let field = SpringFields.feel.first(where: { intention[$0.name] != nil })?.name,
      field != "threshold"
    {
      throw Self.misplaced(field, "spring")
    }
    let mode: Mode =
      switch word {
      case "smoothing": .smoothing(reader.durationIfGiven("timeConstant") ?? Self.defaultTimeConstant)
      case "direct": .direct
      default: .spring(try SpringFeel(reader))
      }
    self.init(
      try reader.property("property"), input, mode, scale: try reader.number("scale"),
      offset: reader.lanesIfGiven("offset"), threshold: reader.numberIfGiven("threshold"))
  }

  private static func misplaced(_ field: String, _ mode: String) -> Refusal {
    Refusal(
      .fields, field: field, "\(field) is a field of the mode \(mode)", remedy: "Omit it, or give mode as \(mode).")
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    var intention = Intention(
      Self.description.type, [.init("property", .property(property)), .init("input", .text(input.text))])
    switch mode {
    case .spring(let feel): for field in feel.fields { intention[field.name] = field.value }
    case .smoothing(let constant):
      intention["mode"] = .choice("smoothing")
      if constant != Self.defaultTimeConstant { intention["timeConstant"] = .duration(constant) }
    case .direct: intention["mode"] = .choice("direct")
    }
    if scale != 1 { intention["scale"] = .number(scale) }
    intention["offset"] = offset.map(FieldValue.init)
    if threshold != KnownProperty.named(property).threshold { intention["threshold"] = .number(threshold) }
    return intention
  }
}

extension Intention {
  /// Creates an intention that moves a property by an input value. See ``FollowIntention``.
  public static func follow(
    _ property: PropertyName, _ input: InputName, _ mode: FollowIntention.Mode = .spring(.default), scale: Double = 1,
    offset: Lanes? = nil, threshold: Double? = nil
  ) -> Intention {
    FollowIntention(property, input, mode, scale: scale, offset: offset, threshold: threshold).intention
  }

  /// The input that it follows; `nil` for other plans.
  package var followedInput: InputName? {
    guard type == FollowIntention.description.type, case .text(let text)? = self["input"] else { return nil }
    return try? InputName(text)
  }
}
