import Glibc
import LinuxSystem
import MotionFiles
public import MotionModel
import MotionWire

/// The plugins that were found: by name, the first folder in the order of the paths.
public struct PluginLibrary: Sendable {
  /// A plugin that was found.
  public struct Plugin: Sendable {
    /// Its name: that of its folder.
    public var name: PluginName
    /// Its folder.
    public var path: String
    /// Its manifest; `nil` when that cannot be read.
    public var manifest: PluginManifest?
    /// Its problem; empty when there is none.
    public var problem: String
    /// Whether its folder was found to be gone, so that the plugin is dropped once none of its workers runs and none of
    /// its plans is pending.
    public var isRemoved = false

    /// Its program.
    public var executable: String? { manifest.map { "\(path)/\($0.executable)" } }
  }

  /// The plugins, sorted by name.
  public private(set) var plugins: [Plugin] = []
  /// Their names in the order in which they were found: of two plugins that offer a type, the first one found has it.
  public private(set) var order: [PluginName] = []
  /// The folders that were searched, in their order, whether they exist or not.
  public private(set) var searched: [String] = []
  /// The folders that could not be read, with the reason.
  public private(set) var warnings: [String] = []

  /// The plugins whose workers are waited for, which need no program here.
  private let remote: Set<PluginName>

  /// Searches the folders of these settings for plugins; workers of those that are `remote` are waited for.
  init(_ settings: CoordinatorSettings, remote: Set<PluginName>) {
    self.init(searching: settings.pluginPaths, named: settings.namedPluginPaths, remote: remote)
  }

  /// Searches these folders for plugins.
  ///
  /// A folder that does not exist is skipped; if it is in `named`, there is a warning.
  public init(searching paths: [String], named: Set<String> = []) {
    self.init(searching: paths, named: named, remote: [])
  }

  private init(searching paths: [String], named: Set<String>, remote: Set<PluginName>) {
    self.remote = remote
    searched = paths
    // Also when there are too many of them.
    defer { plugins.sort { $0.name < $1.name } }
    var seen = Set<PluginName>()
    for path in paths {
      if named.contains(path), access(path, F_OK) != 0 {
        warnings.append("the plugin path \(path) cannot be read: \(String(cString: strerror(errno)))")
      }
      guard mayBeSearched(path) else { continue }
      for folder in folders(in: path).sorted() {
        guard access("\(path)/\(folder)/plugin.json", F_OK) == 0 else { continue }
        guard let name = try? PluginName(folder) else {
          warnings.append(
            "\(path)/\(folder) is ignored: \"\(folder)\" cannot be a plugin's name; \(PluginNameRule.rule)")
          continue
        }
        guard seen.insert(name).inserted else { continue }
        guard plugins.count < Limits.plugins else {
          warnings.append("there are more than \(Limits.plugins) plugins; \(folder) is ignored")
          return
        }
        plugins.append(load(name, from: "\(path)/\(folder)"))
        order.append(name)
      }
    }
  }

  /// The plugin with this name.
  public subscript(name: PluginName) -> Plugin? { plugins.first { $0.name == name } }

  /// Adds a plugin that was found later, or replaces the earlier entry.
  mutating func put(_ plugin: Plugin) {
    plugins.removeAll { $0.name == plugin.name }
    guard plugins.count < Limits.plugins else {
      warnings.append("there are more than \(Limits.plugins) plugins; \(plugin.name) is ignored")
      return
    }
    plugins.append(plugin)
    if !order.contains(plugin.name) { order.append(plugin.name) }
    plugins.sort { $0.name < $1.name }
  }

  /// Removes a plugin.
  mutating func remove(_ name: PluginName) {
    plugins.removeAll { $0.name == name }
    order.removeAll { $0 == name }
  }

  /// Records which plugins are gone from their folders according to `found`, and which are back.
  ///
  /// A symbolic link may still lead to the former folder of a plugin, so the search must have found the plugin, too.
  mutating func compare(with found: PluginLibrary) {
    for index in plugins.indices {
      let plugin = plugins[index]
      let isThere = found[plugin.name] != nil && access("\(plugin.path)/plugin.json", F_OK) == 0
      if plugin.isRemoved, isThere { plugins[index].problem = "" }
      if !plugin.isRemoved, !isThere {
        plugins[index].problem =
          "removed: \(plugin.path) no longer exists; the plugin is dropped when nothing needs it any more"
      }
      plugins[index].isRemoved = !isThere
    }
  }

  /// Reads a plugin's folder again.
  mutating func readAnew(_ name: PluginName) {
    guard let path = self[name]?.path else { return }
    put(load(name, from: path))
  }

  /// Records a problem of a plugin.
  public mutating func report(_ problem: String, of name: PluginName) {
    guard let index = plugins.firstIndex(where: { $0.name == name }) else { return }
    plugins[index].problem = problem
  }

  /// Whether only permitted users can put plugins into a folder; one that does not exist may be searched in vain.
  private mutating func mayBeSearched(_ path: String) -> Bool {
    guard access(path, F_OK) == 0 else { return true }
    do {
      try PluginPlace.checkSearched(path)
      return true
    } catch {
      warnings.append("plugins are not loaded from \(error)")
      return false
    }
  }

  private mutating func folders(in path: String) -> [String] {
    guard let names = FolderEntries.names(in: path) else {
      if errno != ENOENT { warnings.append("\(path): \(String(cString: strerror(errno)))") }
      return []
    }
    return names.filter { !$0.hasPrefix(".") }
  }

  /// Why the program that a manifest names could not be started; empty if it could.
  ///
  /// - Parameter place: the folder of its program, if it is started here.
  private static func problem(of manifest: PluginManifest, in place: PluginPlace?) -> String {
    do {
      if let place {
        _ = try place.program(manifest.executable)
        try PluginPlace.checkLibraries(manifest.libraries, of: place.path)
      }
    } catch {
      return error.description
    }
    guard manifest.protocolVersions.overlaps(ProtocolVersion.messages) else {
      let (theirs, ours) = (manifest.protocolVersions, ProtocolVersion.messages)
      return "it uses protocol \(theirs.lowerBound) to \(theirs.upperBound), motiond \(ours.lowerBound) to "
        + "\(ours.upperBound); use versions that match"
    }
    return ""
  }

  /// A plugin as its folder is now, with its problem.
  func load(_ name: PluginName, from folder: String) -> Plugin {
    // Workers run in their folder, so its path must not depend on the coordinator's working directory. Parent folders
    // may be symbolic links; the folder itself may not.
    let parent = realpath(String(folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.startIndex)), nil)
    defer { free(parent) }
    let path = parent.map { "\(String(cString: $0))/\(name)" } ?? folder
    var plugin = Plugin(name: name, path: path, manifest: nil, problem: "")
    do {
      let place = try PluginPlace(path)
      let bytes = try place.bytes(of: "plugin.json", limit: Limits.manifestBytes)
      let manifest = try PluginManifestFile.manifest(from: bytes, named: "\(path)/plugin.json")
      guard manifest.name == name else {
        plugin.problem = "its plugin.json names it \(manifest.name); give its folder the same name"
        return plugin
      }
      plugin.manifest = manifest
      plugin.problem = Self.problem(of: manifest, in: remote.contains(name) ? nil : place)
    } catch {
      plugin.problem = "\(error)"
    }
    return plugin
  }
}
