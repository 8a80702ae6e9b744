import MotionModel

/// Reads plans by the descriptions of their types.
final class PlanReader {
  /// Which executor fulfils which intention.
  var registry: ExecutorRegistry {
    didSet { (lastReading, abilities) = (nil, [:]) }
  }
  /// The plan that was read last: the next is often the same for another target.
  private var lastReading: PlanReading?
  /// The abilities of executors, by their type.
  private var abilities: [ExecutorType: ExecutorAbilities] = [:]

  /// Reads by the descriptions of this registry.
  init(_ registry: ExecutorRegistry) { self.registry = registry }

  /// Reads a plan and checks it by itself: its type and its fields.
  func check(_ intention: Intention) throws(Refusal) -> PlanReading {
    if let lastReading, lastReading.isChecked, lastReading.intention == intention { return lastReading }
    let entry = try registry.catalog.check(intention)
    try registry.checkParts(of: intention, entry)
    let reading = PlanReading(intention, as: entry, in: registry, isChecked: true)
    lastReading = reading
    return reading
  }

  /// Reads a plan that was checked when it was committed; `nil` if its type is no longer known.
  func read(_ intention: Intention) -> PlanReading? {
    if let lastReading, lastReading.intention == intention { return lastReading }
    guard let entry = registry.catalog[intention.type] else { return nil }
    let reading = PlanReading(intention, as: entry, in: registry, isChecked: false)
    lastReading = reading
    return reading
  }

  /// The properties that a plan reads.
  func reads(of record: IntentionRecord) -> [PropertyReference] {
    guard record.mayRead, let entry = registry.catalog[record.intention.type] else { return [] }
    return entry.description.reads(of: record.intention, on: record.target.name)
  }

  /// The abilities of executors of a type, determined once from the first of them.
  func abilities(of type: ExecutorType, _ executor: any Executor) -> ExecutorAbilities {
    if let known = abilities[type] { return known }
    let known = ExecutorAbilities(of: executor)
    abilities[type] = known
    return known
  }
}
