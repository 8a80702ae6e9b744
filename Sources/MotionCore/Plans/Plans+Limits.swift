import MotionModel

extension Plans {
  /// The limits of a property, which apply to a move where its plan has none.
  ///
  /// Properties have no limits yet. This is the one place where they enter: at commit, at the start of a move, and at
  /// its repetition after a restart, for which a limit that has changed meanwhile would have to be kept with the plan.
  func limits(of property: PropertyName, on target: TargetRecord?) -> MotionLimits { MotionLimits() }

  /// Refuses a move without a limit, or one that arrives faster than it may move.
  func checkLimits(of reading: PlanReading, on target: TargetRecord?) throws(Refusal) {
    let move = try MoveToIntention(reading.intention)
    let limits = move.limits.completed(by: limits(of: move.property, on: target))
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
    guard let final = move.finalVelocity, let most = limits.maxVelocity else { return }
    for lane in 0..<final.count where abs(final[lane]) > most {
      throw Refusal(
        .value, field: "finalVelocity",
        "\(JSONText.number(final[lane])) is above maxVelocity, \(JSONText.number(most))",
        remedy: "Lower it, or raise maxVelocity.")
    }
  }
}
