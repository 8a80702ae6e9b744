import MotionModel

/// The plans of a plugin that another catalog would interpret differently.
struct IncompatiblePlans {
  private let plugin: PluginName
  private let present: IntentionCatalog
  private let catalog: IntentionCatalog

  /// Compares the present catalog with another.
  init(of plugin: PluginName, from present: IntentionCatalog, to catalog: IntentionCatalog) {
    (self.plugin, self.present, self.catalog) = (plugin, present, catalog)
  }

  /// The plans, live or waiting for their time, each with the reason.
  func texts(_ plans: Plans, _ queue: EventQueue) -> [String] {
    let live = plans.intentions.compactMap { _, record -> String? in
      guard let executor = plans.executors[record.executor], executor.worker?.plugin == plugin else { return nil }
      return incompatibility(record.intention, record.kind, executor.type, isNamed: record.name != nil)
        .map {
          "\(record.identity) on \(record.target.name): \($0)"
        }
    }
    return live.sorted() + waitingTexts(queue)
  }

  private func waitingTexts(_ queue: EventQueue) -> [String] {
    var incompatiblePlans: [String] = []
    func look(at transaction: Transaction) {
      for case .add(let intention, let name, let target) in transaction.log {
        guard let entry = present[intention.type], entry.provider == .plugin(plugin) else { continue }
        let description = entry.description
        if let reason = incompatibility(
          intention, description.kind(of: intention), description.executor, isNamed: name != nil)
        {
          incompatiblePlans.append("an intention of a waiting transaction, for \(target): \(reason)")
        }
      }
    }
    queue.forEachTransaction(look)
    return incompatiblePlans
  }

  /// Why another catalog would interpret an intention differently.
  private func incompatibility(
    _ intention: Intention, _ kind: IntentionKind, _ executor: ExecutorType, isNamed: Bool
  ) -> String? {
    guard let entry = catalog[intention.type], entry.provider == .plugin(plugin) else {
      return "\(intention.type) is no longer declared"
    }
    guard entry.description.executor == executor else {
      return "\(intention.type) has the executor \(entry.description.executor) now, and had \(executor)"
    }
    let newKind = entry.description.kind(of: intention)
    guard newKind == kind else {
      return "\(intention.type) is \(newKind.rawValue) now, and was \(kind.rawValue)"
    }
    do {
      _ = try catalog.check(intention, isNamed: isNamed)
      return nil
    } catch {
      return "\(error)"
    }
  }
}
