public import MotionModel

/// Which executor fulfils which type of intention: in this process, or in the workers of a plugin.
public struct ExecutorRegistry {
  /// The descriptions of all types, and the provider of each.
  public private(set) var catalog: IntentionCatalog
  /// The executors that are created in this process, by type.
  private(set) var declarations: [ExecutorType: ExecutorDeclaration] = [:]
  /// The plugins, by name.
  public private(set) var plugins: [PluginName: PluginManifest] = [:]

  /// A registry of the built-in types: springs, friction and constant force, moves under limits, live input, waves,
  /// and the compositions of other intentions.
  ///
  /// - Parameter preferences: which plugin is to fulfil a type that several claim.
  public init(preferences: [IntentionType: PluginName] = [:]) {
    var catalog = IntentionCatalog.knowingEasings(preferences: preferences)
    for description in BuiltInIntentions.inProcess {
      do {
        try catalog.add(description, from: .inProcess)
      } catch {
        preconditionFailure("the built-in intentions claim each type once: \(error)")
      }
    }
    self.catalog = catalog
    declarations[MoveExecutor.declaration.type] = MoveExecutor.declaration
    declarations[FollowExecutor.declaration.type] = FollowExecutor.declaration
    declarations[WaveExecutor.declaration.type] = WaveExecutor.declaration
    for composition in Composition.builtIn {
      do {
        try register(composition)
      } catch {
        preconditionFailure("the built-in intentions claim each type once: \(error)")
      }
    }
  }

  /// Whether plans of a type are replaced by those that they emit.
  func isComposition(_ entry: IntentionCatalog.Entry) -> Bool {
    entry.provider == .inProcess && declarations[entry.description.executor]?.parts != nil
  }

  /// Where plugins come from, for the refusals of unknown types.
  public var pluginSource: IntentionCatalog.PluginSource {
    get { catalog.pluginSource }
    set { catalog.pluginSource = newValue }
  }

  /// Registers an executor that is created in this process.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when one of its types is claimed already; nothing is registered then.
  public mutating func register(_ declaration: ExecutorDeclaration) throws(Refusal) {
    var catalog = catalog
    for description in declaration.descriptions {
      try catalog.add(description, from: .inProcess, acceptsNames: declaration.acceptsNames)
    }
    self.catalog = catalog
    declarations[declaration.type] = declaration
  }

  /// Registers a plugin with all types of its manifest.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when one of its types is claimed already; nothing is registered then.
  public mutating func register(_ plugin: PluginManifest) throws(Refusal) {
    try catalog.add(plugin)
    plugins[plugin.name] = plugin
  }

  /// The plugins as the header of a recording states them, by name: each with the types that it fulfils here, where
  /// several claim one, and without what depends on the machine.
  public var recordedPlugins: [PluginManifest] {
    plugins.values.sorted { $0.name < $1.name }.map { plugin in
      var plugin = plugin
      (plugin.limits, plugin.libraries) = (PluginLimits(), [])
      plugin.intentions.removeAll { catalog[$0.type]?.provider != .plugin(plugin.name) }
      return plugin
    }
  }

  /// Removes a plugin and its types; does nothing if it is not registered.
  public mutating func unregister(_ plugin: PluginName) {
    catalog.remove(.plugin(plugin))
    plugins[plugin] = nil
  }

  /// The worker that runs the executor `key` of `plugin`: rendezvous hashing over the plugin's instances.
  ///
  /// Every target keeps its instance for ever, and another number of instances moves as few targets as possible.
  /// Source: Thaler and Ravishankar, "Using name-based mappings to increase hit rates", 1998.
  func worker(for key: ExecutorKey, of plugin: PluginName) -> WorkerAddress {
    let instances = plugins[plugin]?.instances ?? 1
    let best = (0..<instances).max { weight(of: key.target, on: $0) < weight(of: key.target, on: $1) }
    return WorkerAddress(plugin, best ?? 0)
  }

  private func weight(of target: TargetName, on instance: Int) -> UInt64 {
    var hasher = StableHasher(seed: UInt64(instance))
    hasher.combine(target.text)
    return hasher.finish()
  }
}
