/// A value of an intention that must have as many lanes as a property has.
public struct LaneRequirement: Hashable, Sendable {
  /// The field that holds the value, or a list of such values.
  public var field: String
  /// The property whose lanes count.
  public var property: PropertyName
  /// How many lanes the value has.
  public var lanes: Int

  /// Says that `field` holds `lanes` lanes for `property`.
  public init(field: String, property: PropertyName, lanes: Int) {
    self.field = field
    self.property = property
    self.lanes = lanes
  }
}

extension IntentionDescription {
  /// What `intention` requires of the lanes of its properties, for whoever knows the properties.
  ///
  /// Given fields only, in the description's order. A list says each number of lanes in it once, so that a list of unequal
  /// values shows as several requirements on one property. Linear in the size of the intention.
  public func laneRequirements(of intention: Intention) -> [LaneRequirement] {
    var requirements: [LaneRequirement] = []
    for field in fields {
      guard let owner = field.lanesOf, let given = intention[field.name],
        case .property(let property)? = value(of: owner, in: intention)
      else { continue }
      let firstOfField = requirements.count
      let values: [FieldValue] = if case .list(let values) = given { values } else { [given] }
      for value in values {
        guard let lanes = value.lanes?.count ?? Self.lanesOfLeader(value) else { continue }
        let requirement = LaneRequirement(field: field.name, property: property, lanes: lanes)
        if !requirements[firstOfField...].contains(requirement) { requirements.append(requirement) }
      }
    }
    return requirements
  }

  /// The lanes of a property that is followed, if everybody knows them.
  private static func lanesOfLeader(_ value: FieldValue) -> Int? {
    guard case .reference(let leader) = value, let known = KnownProperty.known[leader.property.text],
      known.lanes.count == 1
    else { return nil }
    return known.lanes.lowerBound
  }

  /// The properties that others of the plan are to follow, with the field that says so.
  public func leaders(of intention: Intention) -> [(field: String, leader: PropertyReference, follower: PropertyName)] {
    fields.compactMap { field in
      guard let owner = field.lanesOf, case .reference(let leader)? = intention[field.name],
        case .property(let follower)? = value(of: owner, in: intention)
      else { return nil }
      return (field.name, leader, follower)
    }
  }
}
