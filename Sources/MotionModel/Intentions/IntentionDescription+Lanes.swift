/// A value of an intention that must have as many lanes as a property has.
public struct LaneRequirement: Hashable, Sendable {
  /// The field that holds the value, or a list of such values.
  public var field: String
  /// The property whose lanes count.
  public var property: PropertyName
  /// The number of lanes of the value.
  public var lanes: Int
  /// Whether the value comes from the description's default, and the number of lanes with it, rather than from the
  /// plan.
  public var isDefault: Bool

  /// Creates the requirement that `field` holds `lanes` lanes for `property`.
  public init(field: String, property: PropertyName, lanes: Int, isDefault: Bool = false) {
    self.field = field
    self.property = property
    self.lanes = lanes
    self.isDefault = isDefault
  }

  /// Returns the refusal for a property with another number of lanes, which must have `allowed` lanes.
  public func refusal(allowed: ClosedRange<Int>) -> Refusal {
    let wanted = allowed.count == 1 ? "\(allowed.lowerBound)" : "\(allowed.lowerBound) to \(allowed.upperBound)"
    let noun = wanted == "1" ? "lane" : "lanes"
    if isDefault {
      return Refusal(
        .lanes, field: field, "\(property) has \(wanted) \(noun), the plan needs \(lanes)",
        remedy: "Use a property of \(lanes) lanes, or forget the target before: the first value settles the lanes.")
    }
    return Refusal(
      .lanes, field: field, "\(property) has \(wanted) \(noun), the value has \(lanes)",
      remedy: allowed.upperBound == 1 ? "Give one number." : "Give a list of \(wanted) numbers.")
  }
}

extension IntentionDescription {
  /// Returns the lanes that `intention` requires of its properties, for a caller that knows the properties' lanes.
  ///
  /// It covers given fields and defaults, in the description's order. A default is how a description determines the
  /// lanes of a new property that its plans write. A list contributes each number of lanes in it once, so a list of
  /// unequal values appears as several requirements on one property. Linear in the size of the intention.
  public func laneRequirements(of intention: Intention) -> [LaneRequirement] {
    var requirements: [LaneRequirement] = []
    for index in fields.indices {
      guard let owner = fields[index].lanesOf, let given = value(of: fields[index].name, in: intention),
        case .property(let property)? = value(of: owner, in: intention)
      else { continue }
      let firstOfField = requirements.count
      let values: [FieldValue] = if case .list(let values) = given { values } else { [given] }
      for value in values {
        guard let lanes = value.lanes?.count ?? Self.lanesOfLeader(value) else { continue }
        let requirement = LaneRequirement(
          field: fields[index].name, property: property, lanes: lanes,
          isDefault: intention[fields[index].name] == nil)
        if !requirements[firstOfField...].contains(requirement) { requirements.append(requirement) }
      }
    }
    return requirements
  }

  /// Returns the lanes of a property that is followed, if it is a well-known property with a fixed number of lanes.
  private static func lanesOfLeader(_ value: FieldValue) -> Int? {
    guard case .reference(let leader) = value, let known = KnownProperty.known[leader.property.text],
      known.lanes.count == 1
    else { return nil }
    return known.lanes.lowerBound
  }

  /// Returns the properties that other properties of the plan follow, with the field that names each.
  public func leaders(of intention: Intention) -> [(field: String, leader: PropertyReference, follower: PropertyName)] {
    fields.compactMap { field in
      guard let owner = field.lanesOf, case .reference(let leader)? = intention[field.name],
        case .property(let follower)? = value(of: owner, in: intention)
      else { return nil }
      return (field.name, leader, follower)
    }
  }
}
