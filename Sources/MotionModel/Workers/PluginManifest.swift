/// What a plugin says of itself in its `plugin.json`.
public struct PluginManifest: Hashable, Sendable {
  /// What a worker does with its outputs when it loses its coordinator.
  public enum OnLost: String, Hashable, Sendable, CaseIterable {
    /// Leave everything where it is.
    case hold
    /// Put outputs to rest.
    case rest
  }

  /// Its name; its folder is called the same.
  public var name: PluginName
  /// The program, relative to its folder; no way out of the folder.
  public var executable: String
  /// Arguments for the program.
  public var arguments: [String]
  /// Environment variables of the coordinator that the program may see.
  public var environment: [String]
  /// The message versions it speaks.
  public var protocolVersions: ClosedRange<Int>
  /// The types of intentions it fulfils.
  public var intentions: [IntentionDescription]
  /// The types of executors that take no named intentions.
  public var unnamedOnly: [ExecutorType]
  /// Whether its executors want ticks.
  public var wantsUpdates: Bool
  /// How many processes of it run.
  public var instances: Int
  /// What a worker does when it loses its coordinator.
  public var onLost: OnLost
  /// What it is for, in a sentence.
  public var documentation: String
  /// What each of its workers may take of the machine. It is the machine's matter, and not part of recordings.
  package var limits = PluginLimits()

  /// A manifest with these entries.
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
