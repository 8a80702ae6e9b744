import MotionModel

/// The limits that were set, by the names of properties. They outlast the properties.
///
/// Most runtimes have none: then a new property costs a comparison with 0.
struct LimitTable {
  private var settings: [PropertyReference: LimitSetting] = [:]
  /// The properties with limits that do not exist.
  private var orphans: Set<PropertyReference> = []

  /// Whether none were set.
  var isEmpty: Bool { settings.isEmpty }
  /// How many properties have limits.
  var count: Int { settings.count }

  /// The limits of a property; `nil` if none were set.
  subscript(reference: PropertyReference) -> LimitSetting? { settings.isEmpty ? nil : settings[reference] }

  /// Where a property goes when its worker is lost; `nil` if it stays.
  func lossRule(of reference: PropertyReference) -> LossRule? {
    self[reference]?.limits.onLost.flatMap { $0.value == nil ? nil : $0 }
  }

  /// The properties that go somewhere when their worker is lost, in the order of their names.
  var withLossRule: [PropertyReference] { settings.keys.filter { lossRule(of: $0) != nil }.sorted() }

  /// Sets limits; limits without any number are those of a property that was never limited.
  ///
  /// - Parameter exists: whether there is a property of this name.
  mutating func set(_ setting: LimitSetting, of reference: PropertyReference, exists: Bool) {
    if case .limits(let limits) = setting, limits.isEmpty {
      settings[reference] = nil
      orphans.remove(reference)
    } else {
      settings[reference] = setting
      if !exists { orphans.insert(reference) }
    }
  }

  /// Notes that a property exists now.
  mutating func adopt(_ reference: PropertyReference) { if !orphans.isEmpty { orphans.remove(reference) } }

  /// Notes that a property no longer exists.
  mutating func abandon(_ reference: PropertyReference) {
    if !settings.isEmpty, settings[reference] != nil { orphans.insert(reference) }
  }

  /// The limits of properties that do not exist, in the order of their names.
  var ofMissingProperties: [(PropertyReference, LimitSetting)] {
    orphans.sorted().compactMap { reference in settings[reference].map { (reference, $0) } }
  }
}
