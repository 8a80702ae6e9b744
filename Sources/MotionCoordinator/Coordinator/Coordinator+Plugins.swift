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
    let registry = WorkerPool.registry(of: &library, preferring: settings.preferences)
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

  /// Reloads plugins and authorized keys. Plugins that are new, or were unusable, are registered. Plugins that are gone
  /// are dropped once none of their workers runs and none of their plans is pending; others stay as they are.
  ///
  /// While a recording is made no plugin changes: its header names the plugins once and for all.
  public func reload() {
    let now = machine.now
    reloadKeys()
    directoryWatch.changed(at: now)
    guard !isRecording else { return logger.warning("no plugin is added or removed while a recording is made") }
    guard !isClosed else { return }
    perform(workers.reload(), at: now)
  }
}
