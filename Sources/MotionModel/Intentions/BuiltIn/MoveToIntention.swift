/// Moves a property to a place as fast as limits of velocity, acceleration and jerk permit, and ends there.
///
/// For destinations that change in most frames use a spring: it costs less, and has no corners in its acceleration.
public struct MoveToIntention: BuiltInIntention {
  /// The property that moves.
  public var property: PropertyName
  /// The place where the movement ends.
  public var destination: Lanes
  /// The velocity with which it passes the destination, per second; `nil` to come to rest there.
  public var finalVelocity: Lanes?
  /// The limits of each lane.
  public var limits: MotionLimits
  /// The least duration of the movement.
  public var minimumDuration: Duration
  /// Whether all lanes arrive at the same time, together with those of the other plans of the transaction that state so.
  public var arrivesTogether: Bool

  /// Creates a move of `property`; limits that are not given are those of the property.
  public init(
    _ property: PropertyName, _ destination: Lanes, finalVelocity: Lanes? = nil, limits: MotionLimits = MotionLimits(),
    minimumDuration: Duration = .zero, arrivesTogether: Bool = false
  ) {
    self.property = property
    self.destination = destination
    self.finalVelocity = finalVelocity
    self.limits = limits
    self.minimumDuration = minimumDuration
    self.arrivesTogether = arrivesTogether
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "MoveTo", kind: .oneShot, executor: "Move",
    fields: [
      FieldDescription("property", .property, required: true, access: .writes, "The property that moves."),
      FieldDescription(
        "destination", .number, .vector, required: true, lanesOf: "property", "Where the movement ends."),
      FieldDescription(
        "finalVelocity", .number, .vector, unit: "/s", lanesOf: "property",
        "The velocity with which it arrives (default: 0)."),
      limit("maxVelocity", "/s", "speed"),
      limit("maxAcceleration", "/s²", "acceleration"),
      limit("maxJerk", "/s³", "change of the acceleration"),
      FieldDescription(
        "duration", .duration, default: .duration(.zero), range: 0...Limits.durationSeconds, unit: "s",
        "The shortest time that it may take. It takes longer if the limits require it."),
      FieldDescription(
        "arriveTogether", .flag, default: .flag(false),
        """
        Whether all lanes arrive at the same time, together with those of every other MoveTo of the transaction that \
        has this flag. Otherwise each lane is as fast as it can be.
        """),
    ],
    documentation: """
      Moves a property to a destination in the shortest time that limits of speed, acceleration and jerk permit, from \
      whatever value and velocity it has, and ends there. A later one on the property replaces it in flight.
      """)

  private static func limit(_ name: String, _ unit: String, _ noun: String) -> FieldDescription {
    FieldDescription(
      name, .number, range: 0...Double.greatestFiniteMagnitude, excludesLowerBound: true, unit: unit,
      "The greatest \(noun) of each lane (default: the property's limit).")
  }

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    self.init(
      try reader.property("property"), try reader.lanes("destination"),
      finalVelocity: reader.lanesIfGiven("finalVelocity"),
      limits: MotionLimits(
        maxVelocity: reader.numberIfGiven("maxVelocity"), maxAcceleration: reader.numberIfGiven("maxAcceleration"),
        maxJerk: reader.numberIfGiven("maxJerk")),
      minimumDuration: try reader.duration("duration"), arrivesTogether: try reader.flag("arriveTogether"))
    if let finalVelocity, finalVelocity.count != destination.count {
      throw Refusal(
        .lanes, field: "finalVelocity", "\(finalVelocity) has other lanes than \(destination)",
        remedy: "Give both as many lanes as the property has.")
    }
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    var intention = Intention(
      Self.description.type,
      [.init("property", .property(property)), .init("destination", FieldValue(destination))])
    intention["finalVelocity"] = finalVelocity.map(FieldValue.init)
    intention["maxVelocity"] = limits.maxVelocity.map(FieldValue.number)
    intention["maxAcceleration"] = limits.maxAcceleration.map(FieldValue.number)
    intention["maxJerk"] = limits.maxJerk.map(FieldValue.number)
    if minimumDuration != .zero { intention["duration"] = .duration(minimumDuration) }
    if arrivesTogether { intention["arriveTogether"] = .flag(true) }
    return intention
  }
}

extension Intention {
  /// Creates an intention that moves a property to a place in the shortest time under limits. See ``MoveToIntention``.
  public static func moveTo(
    _ property: PropertyName, _ destination: Lanes, finalVelocity: Lanes? = nil, maxVelocity: Double? = nil,
    maxAcceleration: Double? = nil, maxJerk: Double? = nil, minimumDuration: Duration = .zero,
    arrivesTogether: Bool = false
  ) -> Intention {
    MoveToIntention(
      property, destination, finalVelocity: finalVelocity,
      limits: MotionLimits(maxVelocity: maxVelocity, maxAcceleration: maxAcceleration, maxJerk: maxJerk),
      minimumDuration: minimumDuration, arrivesTogether: arrivesTogether
    ).intention
  }
}
