package import MotionModel

extension Runtime {
  /// The plans of a plugin, live or waiting for their time, that another catalog would interpret differently, each with
  /// the reason.
  package func incompatiblePlans(of plugin: PluginName, in catalog: IntentionCatalog) -> [String] {
    let live = plans.intentions.compactMap { _, record -> String? in
      guard let executor = plans.executors[record.executor], executor.worker?.plugin == plugin else { return nil }
      return incompatibility(record.intention, record.kind, executor.type, isNamed: record.name != nil, plugin, catalog)
        .map {
          "\(record.identity) on \(record.target.name): \($0)"
        }
    }
    return live.sorted() + incompatibleWaitingPlans(of: plugin, in: catalog)
  }

  private func incompatibleWaitingPlans(of plugin: PluginName, in catalog: IntentionCatalog) -> [String] {
    var incompatiblePlans: [String] = []
    func look(at transaction: Transaction) {
      for case .add(let intention, let name, let target) in transaction.log {
        guard let entry = reader.registry.catalog[intention.type], entry.provider == .plugin(plugin) else { continue }
        let description = entry.description
        if let reason = incompatibility(
          intention, description.kind, description.executor, isNamed: name != nil, plugin, catalog)
        {
          incompatiblePlans.append("one that waits to be added to \(target): \(reason)")
        }
      }
    }
    queue.forEachTransaction(look)
    return incompatiblePlans
  }

  /// Why another catalog would interpret an intention differently.
  private func incompatibility(
    _ intention: Intention, _ kind: IntentionKind, _ executor: ExecutorType, isNamed: Bool, _ plugin: PluginName,
    _ catalog: IntentionCatalog
  ) -> String? {
    guard let entry = catalog[intention.type], entry.provider == .plugin(plugin) else {
      return "\(intention.type) is not offered any more"
    }
    guard entry.description.executor == executor else {
      return "\(intention.type) has the executor \(entry.description.executor) now, and had \(executor)"
    }
    guard entry.description.kind == kind else {
      return "\(intention.type) is \(entry.description.kind.rawValue) now, and was \(kind.rawValue)"
    }
    do {
      _ = try catalog.check(intention, isNamed: isNamed)
      return nil
    } catch {
      return "\(error)"
    }
  }
}
