import Logging
import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// The plugins that a start with these settings would find, each with its problem, and the problems that would
  /// prevent the start, such as an incomplete journal.
  ///
  /// Directories that are missing are made, as a start would; nothing else is changed.
  public static func check(_ settings: CoordinatorSettings) -> (library: PluginLibrary, problems: [String]) {
    var library = PluginLibrary(settings, remote: (try? remoteDoors(settings))?.keys.remotePlugins ?? [])
    let registry = registry(of: &library, preferring: settings.preferences)
    let unknown = settings.preferences.values.filter { library[$0] == nil }.sorted()
    let preferred =
      unknown.map { "the preferred plugin \($0) is not there" }
      + settings.preferences.sorted { $0.key < $1.key }.compactMap { type, name in
        guard let manifest = library[name]?.manifest, !manifest.intentions.contains(where: { $0.type == type }) else {
          return nil
        }
        return "the plugin \(name), preferred for \(type), has no such type"
      }
    let steps: [() throws -> Void] = [
      { _ = try RuntimeDirectory(settings.runtimeDirectory, clients: settings.clients) },
      { try StateDirectory(settings.stateDirectory).checkEpoch() },
      { try CommitPipeline.checkJournal(settings, registry) },
      { try settings.recordPath.map(RecordingPlace.check) },
      { _ = try remoteDoors(settings) },
    ]
    let problems = steps.compactMap { step -> String? in
      do {
        try step()
        return nil
      } catch {
        return String(describing: error)
      }
    }
    return (library, library.warnings + preferred + problems)
  }

  /// Logs the problems of plugins and the folders that were searched.
  nonisolated static func report(_ library: PluginLibrary, to logger: Logger) {
    for warning in library.warnings { logger.warning("\(warning)") }
    if library.plugins.isEmpty {
      let places = library.searched.isEmpty ? "no folder was named" : library.searched.joined(separator: ", ")
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

  /// Reloads plugins and authorized keys. Plugins that are new, or were unusable, are registered. Plugins that are gone
  /// are dropped once none of their workers runs and none of their plans is pending; others stay as they are.
  ///
  /// While a recording is made no plugin changes: its header names the plugins once and for all.
  public func reload() {
    reloadKeys()
    directoryWatch.changed(at: machine.now)
    guard !isRecording else { return logger.warning("no plugin is added or removed while a recording is made") }
    guard !isClosed else { return }
    let found = PluginLibrary(settings, remote: authorized.remotePlugins)
    for warning in found.warnings { logger.warning("\(warning)") }
    library.compare(with: found)
    dropRemovedPlugins()
    for plugin in library.plugins where plugin.isRemoved {
      logger.warning("plugin \(plugin.name) was removed from disk; what runs of it goes on")
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
  }

  /// Drops the plugins that are gone from disk and have no running workers and no pending plans: their types can no
  /// longer be added.
  func dropRemovedPlugins() {
    for plugin in library.plugins where plugin.isRemoved {
      let slots = slotsInOrder.filter { $0.address.plugin == plugin.name }
      let all = allSlots.filter { $0.address.plugin == plugin.name }
      guard !runtime.needs(plugin.name), all.allSatisfy({ !$0.life.hasProcess }) else { continue }
      // If the plugin comes back, it starts without a quarantine.
      applyNow(.restored(plugin.name), at: machine.now)
      runtime.registry.unregister(plugin.name)
      for slot in slots { self.slots[slot.address] = nil }
      slotsInOrder.removeAll { $0.address.plugin == plugin.name }
      library.remove(plugin.name)
      logger.info("plugin \(plugin.name) is gone", metadata: ["path": "\(plugin.path)"])
    }
  }

  /// Registers a plugin's types, unless the plugin has a problem.
  func register(_ name: PluginName) {
    guard let plugin = library[name], plugin.problem.isEmpty else { return }
    var registry = runtime.registry
    Self.register(plugin, in: &registry, of: &library)
    runtime.registry = registry
  }
}
