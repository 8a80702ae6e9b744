import MotionModel
import ZeroMQ

/// The workers that are waited for instead of started, and their keys: the lines of the authorized keys that name
/// workers.
extension AuthorizedKeys {
  /// Whether a worker is waited for.
  func names(_ worker: WorkerAddress) -> Bool { entries.contains { $0.covers(worker) } }

  /// Whether a peer with this `key` may be this worker.
  func allows(_ key: CurveKey?, as worker: WorkerAddress) -> Bool {
    guard let key else { return false }
    return entries.contains { $0.key == key && $0.covers(worker) }
  }

  /// The plugins of which any worker is waited for.
  var remotePlugins: Set<PluginName> {
    // A plugin's name may end with a dot and a number itself: then both readings are included.
    Set(entries.filter { $0.role == .worker }.flatMap { [$0.name, $0.plugin].compactMap { try? PluginName($0) } })
  }
}

extension AuthorizedKeys.Entry {
  /// The plugin in `PLUGIN.INSTANCE`.
  fileprivate var plugin: String {
    guard let dot = name.lastIndex(of: "."), Int(name[name.index(after: dot)...]) != nil else { return name }
    return String(name[..<dot])
  }

  /// Whether the key is one of this worker: of the instance, or of any instance of its plugin.
  fileprivate func covers(_ worker: WorkerAddress) -> Bool {
    role == .worker && (name == worker.plugin.text || name == worker.description)
  }
}
