import MotionClient
import MotionModel

/// Passes only motion: values that change or have a velocity, and the value with which each property comes to rest.
struct MotionFilter {
  private var last: [PropertyReference: Lanes] = [:]
  private var moving = Set<PropertyReference>()

  /// The moving part of a message on a topic of motion; `nil` if there is nothing to show.
  mutating func take(_ values: FrameValues) -> FrameValues? {
    var kept = values
    for reference in values.forgotten { forget(reference) }
    if values.isComplete {
      let present = Set(values.properties.map(\.reference))
      for reference in last.keys where !present.contains(reference) { forget(reference) }
    }
    kept.properties = values.properties.filter { isShown($0) }
    return kept.properties.isEmpty && kept.forgotten.isEmpty && kept.missed == 0 ? nil : kept
  }

  /// Whether the property moves now.
  func isMoving(_ reference: PropertyReference) -> Bool { moving.contains(reference) }

  private mutating func isShown(_ property: PropertyValue) -> Bool {
    let reference = property.reference
    let before = last.updateValue(property.value, forKey: reference)
    let hasJumped = before.map { $0 != property.value } ?? false
    let hasVelocity = property.velocity?.array.contains { $0 != 0 } ?? false
    let wasMoving = moving.contains(reference)
    if hasVelocity { moving.insert(reference) } else { moving.remove(reference) }
    return hasVelocity || hasJumped || wasMoving
  }

  private mutating func forget(_ reference: PropertyReference) {
    last[reference] = nil
    moving.remove(reference)
  }
}
