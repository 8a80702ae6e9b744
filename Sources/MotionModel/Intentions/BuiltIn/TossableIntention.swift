/// Lets a hand drag and throw a property: on release a spring takes it to its destination with the hand's velocity.
public struct TossableIntention: BuiltInIntention {
  /// The drag, which also names the property.
  public var drag: DraggableIntention
  /// The spring, on the same property.
  public var spring: AnchoredSpringIntention

  /// Creates the intention for a property that a spring pulls to `destination` unless a hand holds it.
  public init(
    _ property: PropertyName = "position", destination: Lanes, _ spring: SpringFeel = .default,
    threshold: Double? = nil, axis: DraggableIntention.Axis = .both, perimeter: Lanes? = nil, maxLength: Double = 48,
    slop: Double = 16
  ) {
    self.init(
      drag: DraggableIntention(property, axis: axis, perimeter: perimeter, maxLength: maxLength, slop: slop),
      spring: AnchoredSpringIntention(property, destination, spring, threshold: threshold))
  }

  private init(drag: DraggableIntention, spring: AnchoredSpringIntention) {
    self.drag = drag
    self.spring = spring
  }

  /// The description of the type, with the fields of its two parts.
  public static let description = IntentionDescription(
    type: "Tossable", kind: .standing, executor: "Tossable", fields: fields, exclusive: SpringFields.exclusive,
    documentation: """
      Lets a property be dragged and thrown: a spring pulls it to its destination. A hand can take it at any moment, \
      also in flight, and on release the spring continues with its velocity. It emits a Draggable and an \
      AnchoredSpring.
      """)

  private static let fields: [FieldDescription] = {
    let dragged = DraggableIntention.description.fields.filter { $0.name != "property" }
    let sprung = AnchoredSpringIntention.description.fields
      .filter { $0.name != "property" && $0.name != "initialVelocity" }
    let property = FieldDescription(
      "property", .property, required: false, default: .property("position"), access: .names,
      "The property that is tossed.")
    return [property] + sprung + dragged
  }()

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    let property = try reader.property("property")
    self.init(
      drag: try DraggableIntention(Self.part(DraggableIntention.description, of: intention, on: property)),
      spring: try AnchoredSpringIntention(Self.part(AnchoredSpringIntention.description, of: intention, on: property)))
  }

  /// Returns the fields that one of its parts has too, as an intention of that part's type.
  private static func part(
    _ description: IntentionDescription, of intention: Intention, on property: PropertyName
  ) -> Intention {
    var part = Intention(description.type, intention.fields.filter { description.field($0.name) != nil })
    part["property"] = .property(property)
    return part
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    let parts = spring.intention.fields + drag.intention.fields
    var intention = Intention(Self.description.type, parts.filter { $0.name != "property" })
    if drag.property != "position" { intention["property"] = .property(drag.property) }
    return intention
  }
}

extension Intention {
  /// Creates an intention that lets a hand drag and throw a property. See ``TossableIntention``.
  public static func tossable(
    _ property: PropertyName = "position", destination: Lanes, _ spring: SpringFeel = .default,
    threshold: Double? = nil, axis: DraggableIntention.Axis = .both, perimeter: Lanes? = nil, maxLength: Double = 48,
    slop: Double = 16
  ) -> Intention {
    TossableIntention(
      property, destination: destination, spring, threshold: threshold, axis: axis, perimeter: perimeter,
      maxLength: maxLength, slop: slop
    ).intention
  }
}
