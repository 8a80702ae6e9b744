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
  /// Why, for people: at most ``Limits/commentBytes`` bytes; may be empty.
  public var comment: String
  /// What the client calls itself: at most ``Limits/clientNameBytes`` bytes; may be empty. Not part of the body.
  public var client = ""
  /// For gateways: the client for which they commit. Not part of the body.
  public var onBehalfOf: Committer?

  /// A transaction with an id and options.
  public init(
    _ transaction: Transaction, id: TransactionID, at: Double? = nil, whileConnected: Bool = false, comment: String = ""
  ) {
    self.id = id
    self.transaction = transaction
    self.at = at
    self.whileConnected = whileConnected
    self.comment = comment
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
  /// By how many simulated seconds its `at` was past when it was accepted; `nil` if it was not.
  public var overdue: Double?
  /// What it does; `nil` where that is not known before its frame.
  public var counts: Counts?

  /// What a transaction does.
  public struct Counts: Hashable, Sendable {
    /// The plans that it adds.
    public var added = 0
    /// The plans that it finds and removes; not those that an added one replaces, nor those of forgotten targets.
    public var removed = 0
    /// The targets that it finds and forgets.
    public var forgotten = 0

    /// Nothing, or so much.
    public init(added: Int = 0, removed: Int = 0, forgotten: Int = 0) {
      self.added = added
      self.removed = removed
      self.forgotten = forgotten
    }

    /// Whether it does nothing.
    public var areZero: Bool { added == 0 && removed == 0 && forgotten == 0 }
  }

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
