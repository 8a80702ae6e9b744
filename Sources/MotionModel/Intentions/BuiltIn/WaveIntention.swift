/// Moves a property to and fro, until it is removed: to offset + amplitude × shape(rate × time + phase).
///
/// The time is the simulated time of motiond, so that waves of one rate are in step, whenever they began.
public struct WaveIntention: BuiltInIntention {
  /// The course of a cycle, between −1 and 1.
  public enum Shape: String, Hashable, Sendable, CaseIterable {
    /// Begins in the middle, and is highest after a quarter of the cycle.
    case sine
    /// Like the sine, in straight lines.
    case triangle
    /// Rises from the lowest to the highest, and falls at once.
    case saw
    /// Is at the highest for a share of the cycle, and at the lowest for the rest.
    case pulse
  }

  /// How long the difference to the property fades at the beginning, where nothing else is given.
  public static let defaultFade = Duration.milliseconds(150)
  /// The share of a cycle for which a pulse is high, where nothing else is given.
  public static let defaultWidth = 0.5

  /// The property that moves.
  public var property: PropertyName
  /// The course of a cycle.
  public var shape: Shape
  /// The cycles per second, of all lanes or of each; below 0 backwards.
  public var rate: Lanes
  /// The part of a cycle by which it is ahead, of all lanes or of each.
  public var phase: Lanes
  /// The value in the middle, of each lane.
  public var offset: Lanes
  /// The greatest distance from the middle, of all lanes or of each.
  public var amplitude: Lanes
  /// The share of a cycle for which a pulse is high.
  public var width: Double
  /// How long the difference to the property fades at the beginning.
  public var fade: Duration

  /// Creates an intention that moves `property` between `offset` − `amplitude` and `offset` + `amplitude`.
  public init(
    _ property: PropertyName, _ shape: Shape = .sine, rate: Lanes = 1, phase: Lanes = 0, offset: Lanes,
    amplitude: Lanes, width: Double = defaultWidth, fade: Duration = defaultFade
  ) {
    self.property = property
    self.shape = shape
    self.rate = rate
    self.phase = phase
    self.offset = offset
    self.amplitude = amplitude
    self.width = width
    self.fade = fade
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "Wave", kind: .standing, executor: "Wave",
    fields: [
      FieldDescription("property", .property, required: true, access: .writes, "The property that moves."),
      FieldDescription(
        "shape", .choice, default: .choice("sine"), choices: Shape.allCases.map(\.rawValue),
        """
        The course of a cycle: a sine or triangle from the middle upwards, a saw that rises and falls at once, or a pulse \
        that is high and then low.
        """),
      FieldDescription(
        "rate", .number, .vector, default: .number(1), range: -1000...1000, unit: "Hz",
        "The cycles per second, below 0 backwards; a vector has that of each lane."),
      FieldDescription(
        "phase", .number, .vector, default: .number(0),
        "The part of a cycle by which it is ahead: 0.25 is a quarter; a vector has that of each lane."),
      FieldDescription(
        "offset", .number, .vector, required: true, lanesOf: "property", "The value of the property in the middle."),
      FieldDescription(
        "amplitude", .number, .vector, required: true,
        "The greatest distance from the middle; a vector has that of each lane."),
      FieldDescription(
        "width", .number, range: 0...1, "Of a pulse: the share of the cycle for which it is high (0.5)."),
      FieldDescription(
        "fade", .duration, default: .duration(defaultFade), range: 0.001...Limits.durationSeconds, unit: "s",
        "How long it takes from where the property is to the wave, at the beginning."),
    ],
    documentation: """
      Moves a property to and fro until removed: to offset + amplitude × shape(rate × time + phase). The time is \
      motiond's simulated time: waves of one rate are in step, whenever they begin. A plan that ends by itself interrupts \
      it, and it goes on afterwards, in step.
      """)

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    let word = try reader.choice("shape")
    let shape = Shape(rawValue: word) ?? .sine
    if shape != .pulse, reader.value("width") != nil {
      throw Refusal(
        .fields, field: "width", "width is a field of the shape pulse", remedy: "Omit it, or give shape as pulse.")
    }
    self.init(
      try reader.property("property"), shape, rate: try reader.lanes("rate"), phase: try reader.lanes("phase"),
      offset: try reader.lanes("offset"), amplitude: try reader.lanes("amplitude"),
      width: reader.numberIfGiven("width") ?? Self.defaultWidth, fade: try reader.duration("fade"))
    for (name, lanes) in [("rate", rate), ("phase", phase), ("amplitude", amplitude)]
    where lanes.count != 1 && lanes.count != offset.count {
      throw Refusal(
        .lanes, field: name, "\(name) has \(lanes.count) lanes, and offset \(offset.count)",
        remedy: "Give one number for all lanes, or as many as offset has.")
    }
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    var intention = Intention(Self.description.type, [.init("property", .property(property))])
    if shape != .sine { intention["shape"] = .choice(shape.rawValue) }
    if rate != 1 { intention["rate"] = FieldValue(rate) }
    if phase != 0 { intention["phase"] = FieldValue(phase) }
    intention["offset"] = FieldValue(offset)
    intention["amplitude"] = FieldValue(amplitude)
    if width != Self.defaultWidth { intention["width"] = .number(width) }
    if fade != Self.defaultFade { intention["fade"] = .duration(fade) }
    return intention
  }
}

extension Intention {
  /// Creates an intention that moves a property to and fro. See ``WaveIntention``.
  public static func wave(
    _ property: PropertyName, _ shape: WaveIntention.Shape = .sine, rate: Lanes = 1, phase: Lanes = 0, offset: Lanes,
    amplitude: Lanes, width: Double = WaveIntention.defaultWidth, fade: Duration = WaveIntention.defaultFade
  ) -> Intention {
    WaveIntention(
      property, shape, rate: rate, phase: phase, offset: offset, amplitude: amplitude, width: width, fade: fade
    ).intention
  }
}
