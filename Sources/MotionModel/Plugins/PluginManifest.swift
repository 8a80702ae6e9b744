/// The manifest of a plugin, from its `plugin.json`.
public struct PluginManifest: Hashable, Sendable {
  /// The behaviour of a worker's outputs when it loses its coordinator.
  public enum OnLost: String, Hashable, Sendable, CaseIterable {
    /// Leave the outputs at their last values.
    case hold
    /// Put outputs to rest.
    case rest
  }

  /// Its name, which is also the name of its folder.
  public var name: PluginName
  /// The program, relative to its folder; the path stays within the folder.
  public var executable: String
  /// Arguments for the program.
  public var arguments: [String]
  /// Environment variables of the coordinator that the program may see.
  public var environment: [String]
  /// The message versions that it supports.
  public var protocolVersions: ClosedRange<Int>
  /// The types of intentions it fulfils.
  public var intentions: [IntentionDescription]
  /// The types of executors that accept no named intentions.
  public var unnamedOnly: [ExecutorType]
  /// Whether its executors need ticks.
  public var wantsUpdates: Bool
  /// The number of its processes.
  public var instances: Int
  /// The behaviour of its workers when they lose their coordinator.
  public var onLost: OnLost
  /// Its purpose, in a sentence.
  public var documentation: String
  /// The resource limits of each of its workers. They depend on the machine, and are not part of recordings.
  package var limits = PluginLimits()
  /// Folders outside of its own from which the program takes code, such as the packages of an interpreter. They depend on
  /// the machine, and are not part of recordings.
  package var libraries: [String] = []

  /// Creates a manifest with these entries.
  public init(
    name: PluginName, executable: String, arguments: [String] = [], environment: [String] = [],
    protocolVersions: ClosedRange<Int> = 1...1, intentions: [IntentionDescription], unnamedOnly: [ExecutorType] = [],
    wantsUpdates: Bool = true, instances: Int = 1, onLost: OnLost = .hold, documentation: String = ""
  ) {
    self.name = name
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.protocolVersions = protocolVersions
    self.intentions = intentions
    self.unnamedOnly = unnamedOnly
    self.wantsUpdates = wantsUpdates
    self.instances = instances
    self.onLost = onLost
    self.documentation = documentation
  }
}
