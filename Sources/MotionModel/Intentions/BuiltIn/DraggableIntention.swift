/// Lets a hand drag a property.
public struct DraggableIntention: BuiltInIntention {
  /// The directions in which it may be dragged.
  public enum Axis: String, Hashable, Sendable, CaseIterable {
    /// Every direction.
    case both
    /// Along the first lane only.
    case x
    /// Along the second lane only.
    case y
  }

  /// The property that follows the hand.
  public var property: PropertyName
  /// The directions in which it may be dragged.
  public var axis: Axis
  /// The rectangle beyond which it follows with resistance, as [x, y, width, height]; `nil` has no bounds.
  public var perimeter: Lanes?
  /// The greatest distance beyond the perimeter to which it can be dragged, in the property's unit.
  public var maxLength: Double
  /// The distance that the hand moves before the drag begins, in the property's unit.
  public var slop: Double

  /// Creates the intention for a property that can be dragged.
  public init(
    _ property: PropertyName = "position", axis: Axis = .both, perimeter: Lanes? = nil, maxLength: Double = 48,
    slop: Double = 16
  ) {
    self.property = property
    self.axis = axis
    self.perimeter = perimeter
    self.maxLength = maxLength
    self.slop = slop
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "Draggable", kind: .manipulation, executor: "Gesture",
    fields: [
      FieldDescription(
        "property", .property, default: .property("position"), access: .writes,
        "The property that follows the hand: position, translation, or one of your own with two lanes."),
      FieldDescription(
        "axis", .choice, default: .choice("both"), choices: Axis.allCases.map(\.rawValue),
        "The directions in which it may be dragged: both, or only x or only y."),
      FieldDescription(
        "perimeter", .vector, unit: "points",
        "The rectangle [x, y, width, height] beyond which it follows with rising resistance; without it, no bounds."),
      FieldDescription(
        "maxLength", .number, default: .number(48), range: 0...Double.greatestFiniteMagnitude, unit: "points",
        "How far beyond the perimeter the property can be dragged at most."),
      FieldDescription(
        "slop", .number, default: .number(16), range: 0...Double.greatestFiniteMagnitude, unit: "points",
        "How far the hand must move before the drag begins; a property in motion is caught at once."),
    ],
    documentation: """
      Lets a property be dragged. While the hand is down it drives the property, over every other movement; on release \
      the property keeps the hand's velocity for the next movement.
      """)

  /// The well-known properties that it is meant for.
  private static let known: [PropertyName] = ["position", "translation"]

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    let perimeter = reader.lanesIfGiven("perimeter")
    if let perimeter, perimeter.count != 4 || perimeter[2] < 0 || perimeter[3] < 0 {
      throw Refusal(
        .value, field: "perimeter", "\(perimeter) is no rectangle",
        remedy: "Use [x, y, width, height] with a width and a height of at least 0.")
    }
    self.init(
      try reader.property("property", among: Self.known), axis: Axis(rawValue: try reader.choice("axis")) ?? .both,
      perimeter: perimeter, maxLength: try reader.number("maxLength"), slop: try reader.number("slop"))
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    var intention = Intention(Self.description.type)
    if property != "position" { intention["property"] = .property(property) }
    if axis != .both { intention["axis"] = .choice(axis.rawValue) }
    intention["perimeter"] = perimeter.map(FieldValue.init)
    if maxLength != 48 { intention["maxLength"] = .number(maxLength) }
    if slop != 16 { intention["slop"] = .number(slop) }
    return intention
  }
}

extension Intention {
  /// Creates an intention that lets a hand drag a property. See ``DraggableIntention``.
  public static func draggable(
    _ property: PropertyName = "position", axis: DraggableIntention.Axis = .both, perimeter: Lanes? = nil,
    maxLength: Double = 48, slop: Double = 16
  ) -> Intention {
    DraggableIntention(property, axis: axis, perimeter: perimeter, maxLength: maxLength, slop: slop).intention
  }
}
