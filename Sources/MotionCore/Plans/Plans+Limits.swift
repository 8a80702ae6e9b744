import MotionModel

extension Plans {
  /// The limits that were set for a property by the time an operation is applied; `nil` if none were.
  func limits(of reference: PropertyReference, after outlook: TargetOutlook?) -> LimitSetting? {
    outlook?.limits[reference.property] ?? movement.properties.limits[reference]
  }

  /// Refuses a move without a limit, or one that arrives faster than it may move.
  func checkLimits(of reading: PlanReading, on target: TargetName, after outlook: TargetOutlook?) throws(Refusal) {
    let move = try MoveToIntention(reading.intention)
    let setting = limits(of: PropertyReference(target, move.property), after: outlook)
    for lane in 0..<move.destination.count {
      try checkLimits(of: move, reading, lane: lane, setting?.limits ?? PropertyLimits())
    }
  }

  private func checkLimits(
    of move: MoveToIntention, _ reading: PlanReading, lane: Int, _ property: PropertyLimits
  ) throws(Refusal) {
    let limits = move.limits.completed(by: property.motion(lane: lane))
    let given = [
      ("maxVelocity", limits.maxVelocity), ("maxAcceleration", limits.maxAcceleration), ("maxJerk", limits.maxJerk),
    ]
    let missing = given.filter { $0.1 == nil }.map(\.0)
    if let first = missing.first {
      throw Refusal(
        .fields, field: first,
        "\(missing.quotedList) of \(move.property) \(missing.count == 1 ? "is" : "are") not known: "
          + "neither \(reading.intention.type) nor the property has such a limit",
        remedy: "Add \(missing.quotedList); a number that is never reached, such as 1e12, has no effect.")
    }
    guard let final = move.finalVelocity, let most = limits.maxVelocity, abs(final[lane]) > most else { return }
    throw Refusal(
      .value, field: "finalVelocity",
      "\(JSONText.number(final[lane])) is above maxVelocity, \(JSONText.number(most))",
      remedy: "Lower it, or raise maxVelocity.")
  }

  /// Checks limits before they are set.
  ///
  /// - Throws: the refusal with the field.
  func check(
    _ setting: LimitSetting, of property: PropertyName, on target: TargetName, _ record: TargetRecord?,
    after outlook: TargetOutlook?
  ) throws(Refusal) {
    let (known, natural) = (KnownProperty.named(property).lanes, KnownProperty.named(property).range)
    let lanes = present(property, on: record, after: outlook)
    try setting.check(
      lanes: lanes ?? (known.lowerBound == known.upperBound ? known.lowerBound : nil), natural: natural)
    if let needed = setting.lanes, !known.contains(needed) {
      throw Refusal(
        .lanes, "the limits have \(needed) lanes and \(property) has \(known.lowerBound) to \(known.upperBound)",
        remedy: "Give each limit one number, or one for each lane.")
    }
    guard movement.properties.limits.count >= Limits.limitedProperties,
      movement.properties.limits[PropertyReference(target, property)] == nil
    else { return }
    throw Refusal(
      .limit, "\(movement.properties.limits.count) properties have limits already",
      remedy: "Commit limits without a number for properties that no longer need any.")
  }
}
