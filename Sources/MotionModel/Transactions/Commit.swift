/// A transaction as a client commits it: with its id and its options.
public struct Commit: Hashable, Sendable {
  /// The client's id: the same id again returns the first receipt and does nothing.
  public var id: TransactionID
  /// What is asked.
  public var transaction: Transaction
  /// The simulated time at which to apply it, in seconds; `nil` applies it with the next frame.
  public var at: Double?
  /// Whether its intentions are removed once the client has fallen silent for 3 s.
  public var whileConnected: Bool

  /// A transaction with an id and options.
  public init(_ transaction: Transaction, id: TransactionID, at: Double? = nil, whileConnected: Bool = false) {
    self.id = id
    self.transaction = transaction
    self.at = at
    self.whileConnected = whileConnected
  }
}

/// The word that a commit is accepted: it is valid, it is ordered, and it will be applied.
public struct Receipt: Hashable, Sendable {
  /// Its place in the order of all transactions.
  public var sequence: UInt64
  /// The frame that applies it; `nil` while that is not known because it waits for its `at`.
  public var frame: UInt64?
  /// The simulated time it waits for, if it does.
  public var at: Double?
  /// Whether this id was committed before, so that nothing was done now.
  public var isRepeat: Bool
  /// The plugins it needs and how ready each is, by name.
  public var plugins: [PluginReadiness]

  /// Says that a commit has this place.
  public init(
    sequence: UInt64, frame: UInt64? = nil, at: Double? = nil, isRepeat: Bool = false, plugins: [PluginReadiness] = []
  ) {
    self.sequence = sequence
    self.frame = frame
    self.at = at
    self.isRepeat = isRepeat
    self.plugins = plugins
  }
}

/// How ready a plugin is that a commit needs.
public struct PluginReadiness: Hashable, Sendable {
  /// What the plugin can do now.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// A worker serves it.
    case ready
    /// A worker is on its way up.
    case starting
    /// It failed too often and is not started until somebody restarts it.
    case quarantined
  }

  /// The plugin.
  public var plugin: PluginName
  /// Its state.
  public var state: State

  /// Pairs a plugin with its state.
  public init(_ plugin: PluginName, _ state: State) {
    self.plugin = plugin
    self.state = state
  }
}
