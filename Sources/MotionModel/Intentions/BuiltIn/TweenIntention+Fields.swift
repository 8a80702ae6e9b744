extension TweenIntention {
  /// The description of the type.
  public static let description = IntentionDescription(
    type: "Tween", kind: .oneShot, executor: "Tween", fields: places + timing, exclusive: [["to", "values"]],
    requiresOneOf: [["to", "values"]],
    documentation: """
      Moves a property to a value, or through several, in a given time. It reports its velocity, so that any movement \
      may take over from it. Velocity that the property has at the start is blended out unless carry is false.
      """)

  private static let places = [
    FieldDescription("property", .property, required: true, access: .writes, "The property that moves."),
    FieldDescription("to", .number, .vector, lanesOf: "property", "Where the movement ends."),
    FieldDescription(
      "values", .list, elements: [.number, .vector], lanesOf: "property",
      "Instead of to: the values that the movement passes; of several, the first is the start unless from is given."),
    FieldDescription(
      "from", .number, .vector, lanesOf: "property",
      "Where the movement starts; without it, at the property's present value or at the first of several values."),
  ]

  private static let timing = [
    FieldDescription(
      "offsets", .list, range: 0...1, elements: [.number],
      "When each point is passed, the start included, as rising fractions of duration from 0 to 1 (default: evenly)."),
    FieldDescription(
      "easing", .text, .list, default: .text("linear"), elements: [.text],
      """
      The course of time, for the whole or for each stretch between points: linear, ease, ease-in, ease-out, \
      ease-in-out, cubic-bezier(x1, y1, x2, y2), steps(n, end) or linear(0, 0.2 30%, 1).
      """),
    FieldDescription(
      "duration", .duration, default: .duration(.milliseconds(300)), range: 0...Limits.durationSeconds, unit: "s",
      "How long one run takes."),
    FieldDescription(
      "delay", .duration, default: .duration(.zero), range: 0...Limits.durationSeconds, unit: "s",
      "How long it waits before the first run."),
    FieldDescription(
      "repeat", .number, .choice, default: .number(1), range: 1...Double.greatestFiniteMagnitude, choices: ["forever"],
      "How many times it runs, or forever: then it is standing, and goes on after a plan that interrupts it."),
    FieldDescription("autoreverse", .flag, default: .flag(false), "Whether every second run goes backwards."),
    FieldDescription(
      "carry", .flag, default: .flag(true),
      "Whether velocity that the property has at the start is blended out, within 150 ms, instead of dropped."),
  ]

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    let to = reader.lanesIfGiven("to")
    self.init(
      try reader.property("property"), values: to.map { [$0] } ?? reader.elements("values").compactMap(\.lanes),
      from: reader.lanesIfGiven("from"),
      offsets: reader.elements("offsets").compactMap { if case .number(let offset) = $0 { offset } else { nil } },
      easing: reader.elements("easing").compactMap { if case .text(let easing) = $0 { easing } else { nil } },
      duration: try reader.duration("duration"), delay: try reader.duration("delay"),
      repetition: reader.numberIfGiven("repeat").map(Repetition.times) ?? .forever,
      autoreverses: try reader.flag("autoreverse"), carries: try reader.flag("carry"))
    try checkCounts(offsetsGiven: intention["offsets"] != nil)
  }

  /// Rejects errors that the description cannot express: lists whose lengths or orders do not fit together.
  private func checkCounts(offsetsGiven: Bool) throws(Refusal) {
    if values.isEmpty {
      throw Refusal(.value, field: "values", "there is no value to move to", remedy: "Give at least one value.")
    }
    if let odd = values.first(where: { $0.count != (from ?? values[0]).count }) {
      throw Refusal(
        .lanes, field: from == nil ? "values" : "from", "\(odd) has other lanes than \(from ?? values[0])",
        remedy: "Give all values as many lanes as the property has.")
    }
    if offsetsGiven { try checkOffsets() }
    if easing.count != 1, easing.count != pointCount - 1 {
      throw Refusal(
        .value, field: "easing", "\(easing.count) easings do not fit \(pointCount - 1) stretches",
        remedy: "Give one for the whole, or one for each of the \(pointCount - 1) stretches.")
    }
  }

  private func checkOffsets() throws(Refusal) {
    guard offsets.count == pointCount else {
      throw Refusal(
        .value, field: "offsets", "\(offsets.count) offsets do not fit \(pointCount) points",
        remedy: "Give \(pointCount): one for the start and one for each value after it.")
    }
    guard offsets.first == 0, offsets.last == 1 else {
      throw Refusal(
        .value, field: "offsets", "the offsets do not run from 0 to 1", remedy: "Let the first be 0 and the last 1.")
    }
    if let (earlier, later) = zip(offsets, offsets.dropFirst()).first(where: { $0 >= $1 }) {
      throw Refusal(
        .value, field: "offsets", "\(JSONText.number(later)) does not rise above \(JSONText.number(earlier))",
        remedy: "Let the offsets rise; for a jump use the easing steps(1).")
    }
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    var intention = Intention(Self.description.type, [.init("property", .property(property))])
    if values.count == 1 {
      intention["to"] = FieldValue(values[0])
    } else {
      intention["values"] = .list(values.map(FieldValue.init))
    }
    intention["from"] = from.map(FieldValue.init)
    if !offsets.isEmpty { intention["offsets"] = .list(offsets.map(FieldValue.number)) }
    if easing.count != 1 {
      intention["easing"] = .list(easing.map(FieldValue.text))
    } else if easing[0] != "linear" {
      intention["easing"] = .text(easing[0])
    }
    if duration != .milliseconds(300) { intention["duration"] = .duration(duration) }
    if delay != .zero { intention["delay"] = .duration(delay) }
    switch repetition {
    case .times(1): break
    case .times(let times): intention["repeat"] = .number(times)
    case .forever: intention["repeat"] = .choice("forever")
    }
    if autoreverses { intention["autoreverse"] = .flag(true) }
    if !carries { intention["carry"] = .flag(false) }
    return intention
  }
}
