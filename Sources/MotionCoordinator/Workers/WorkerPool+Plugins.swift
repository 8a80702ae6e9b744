import Logging
import MotionCore
import MotionLink
import MotionModel

/// The plugins that are there, and the types that they offer.
extension WorkerPool {
  /// Logs the problems of plugins and the folders that were searched.
  static func report(_ library: PluginLibrary, to logger: Logger) {
    for warning in library.warnings { logger.warning("\(warning)") }
    if library.plugins.isEmpty {
      let places = library.searched.isEmpty ? "no folder is configured" : library.searched.joined(separator: ", ")
      logger.warning(
        "no plugin found (looked in: \(places)): only springs and other built-in forces move; use --plugin-path DIR")
    }
    for plugin in library.plugins where !plugin.problem.isEmpty {
      logger.warning("plugin \(plugin.name) cannot be used: \(plugin.problem)")
    }
  }

  /// A registry of these plugins; the library records the problem of each plugin that cannot be registered.
  static func registry(
    of library: inout PluginLibrary, preferring preferences: [IntentionType: PluginName]
  ) -> ExecutorRegistry {
    var registry = ExecutorRegistry(preferences: preferences)
    registry.pluginSource = .folders(library.searched)
    for plugin in library.order.compactMap({ library[$0] }) where plugin.problem.isEmpty {
      register(plugin, in: &registry, of: &library)
    }
    return registry
  }

  private static func register(
    _ plugin: PluginLibrary.Plugin, in registry: inout ExecutorRegistry, of library: inout PluginLibrary
  ) {
    guard let manifest = plugin.manifest else { return }
    do {
      try registry.register(manifest)
    } catch {
      library.report(error.description, of: plugin.name)
    }
  }

  /// Reads the plugins again. Plugins that are new, or were unusable, are registered. Plugins that are gone are dropped
  /// once none of their workers runs and none of their plans is pending; others stay as they are.
  mutating func reload() -> [Action] {
    let found = PluginLibrary(settings, remote: sockets.authorizedKeys.remotePlugins)
    for warning in found.warnings { logger.warning("\(warning)") }
    library.compare(with: found)
    return drops + [.then(.found(found))]
  }

  /// Registers the plugins that were found, and reports those that are gone and still used.
  mutating func register(_ found: PluginLibrary) -> [Action] {
    for plugin in library.plugins where plugin.isRemoved {
      logger.warning("plugin \(plugin.name) was removed from disk; its workers and intentions continue")
    }
    for plugin in found.plugins where runtime.registry.plugins[plugin.name] == nil {
      library.put(plugin)
      register(plugin.name)
      let problem = library[plugin.name]?.problem ?? ""
      if problem.isEmpty {
        logger.info("plugin \(plugin.name) was found", metadata: ["path": "\(plugin.path)"])
      } else {
        logger.warning("plugin \(plugin.name) cannot be used: \(problem)")
      }
    }
    return []
  }

  /// Drops the plugins that are gone from disk.
  private var drops: [Action] { library.plugins.filter(\.isRemoved).map { .then(.drop($0.name)) } }

  /// A worker of this plugin has ended: drops the plugins that are gone from disk, if this is one.
  func dropIfRemoved(_ plugin: PluginName) -> [Action] {
    library[plugin]?.isRemoved == true ? drops : []
  }

  /// Drops a plugin that is gone from disk, if it has no running workers and no pending plans: its types can no longer
  /// be added.
  func drop(_ plugin: PluginName) -> [Action] {
    guard library[plugin]?.isRemoved == true, !runtime.needs(plugin),
      table.all.allSatisfy({ $0.address.plugin != plugin || !$0.life.hasProcess })
    else { return [] }
    // If the plugin comes back, it starts without a quarantine.
    return [.apply(.restored(plugin)), .then(.dropped(plugin))]
  }

  mutating func dropped(_ plugin: PluginName) -> [Action] {
    guard let path = library[plugin]?.path else { return [] }
    runtime.registry.unregister(plugin)
    table.remove(plugin)
    library.remove(plugin)
    logger.info("plugin \(plugin) was dropped", metadata: ["path": "\(path)"])
    return []
  }

  /// Registers a plugin's types, unless the plugin has a problem.
  mutating func register(_ name: PluginName) {
    guard let plugin = library[name], plugin.problem.isEmpty else { return }
    var registry = runtime.registry
    Self.register(plugin, in: &registry, of: &library)
    runtime.registry = registry
  }
}
