import MotionModel

/// Reads plans by the descriptions of their types.
final class PlanReader {
  /// Which executor fulfils which intention.
  var registry: ExecutorRegistry {
    didSet {
      (lastReading, abilities) = (nil, [:])
      registryVersion += 1
    }
  }
  /// A number that grows with each change of the registry.
  private(set) var registryVersion: UInt64 = 0
  /// The plan that was read last: the next is often the same for another target.
  private var lastReading: PlanReading?
  /// The abilities of executors, by their type.
  private var abilities: [ExecutorType: ExecutorAbilities] = [:]

  /// Reads by the descriptions of this registry.
  init(_ registry: ExecutorRegistry) { self.registry = registry }

  /// Reads a plan and checks it by itself: its type and its fields.
  func check(_ intention: Intention) throws(Refusal) -> PlanReading {
    if let lastReading, lastReading.isChecked, lastReading.intention == intention { return lastReading }
    let reading = try check(intention, depth: 0)
    lastReading = reading
    return reading
  }

  private func check(_ intention: Intention, depth: Int) throws(Refusal) -> PlanReading {
    let entry = try registry.catalog.check(intention)
    let parts = try checkParts(of: intention, entry, depth: depth)
    return PlanReading(intention, as: entry, in: registry, isChecked: true, parts: parts)
  }

  /// Whether plans of this type are replaced by those that they emit.
  func isComposition(_ type: IntentionType) -> Bool { registry.catalog[type].map(registry.isComposition) ?? false }

  /// Refuses a composition of which a part is refused, for example because the part's plugin is missing.
  ///
  /// Compositions of compositions are followed as deep as plans may emit each other.
  ///
  /// - Returns: its parts; `nil` for other plans.
  private func checkParts(
    of intention: Intention, _ entry: IntentionCatalog.Entry, depth: Int
  ) throws(Refusal) -> [PlanReading]? {
    guard depth < Limits.emissionDepth, entry.provider == .inProcess,
      let parts = registry.declarations[entry.description.executor]?.parts
    else { return nil }
    let emitted: [Intention]
    do {
      emitted = try parts(intention)
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(.fields, "\(intention.type) cannot be created: \(error)", remedy: "Correct its fields.")
    }
    var readings: [PlanReading] = []
    for var part in emitted {
      part.priority = intention.priority
      part.after += intention.after
      do {
        readings.append(try check(part, depth: depth + 1))
      } catch {
        var refusal = error
        refusal.message = "\(intention.type) consists of \(part.type): \(refusal.message)"
        // The field belongs to the part, which the client did not write.
        refusal.field = nil
        throw refusal
      }
    }
    return readings
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
