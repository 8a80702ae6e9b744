/// A transaction as a client commits it: with its id and its options.
public struct Commit: Hashable, Sendable {
  /// The client's id: a resend with the same id returns the first receipt and has no effect.
  public var id: TransactionID
  /// The requested operations.
  public var transaction: Transaction
  /// The simulated time at which to apply it, in seconds; `nil` applies it with the next frame.
  public var at: Double?
  /// Whether its intentions are removed once the client has sent nothing for 3 s.
  public var whileConnected: Bool
  /// The reason, for people: at most ``Limits/commentBytes`` bytes; may be empty.
  public var comment: String
  /// The name that the client gives itself: at most ``Limits/clientNameBytes`` bytes; may be empty. Not part of the
  /// body.
  public var client = ""
  /// For gateways: the client on whose behalf they commit. Not part of the body.
  public var onBehalfOf: Committer?

  /// Creates a transaction with an id and options.
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

/// The confirmation that a commit is accepted: it is valid, it is ordered, and it will be applied.
public struct Receipt: Hashable, Sendable {
  /// Its place in the order of all transactions.
  public var sequence: UInt64
  /// The frame that applies it; `nil` while that is unknown because the commit waits for its `at`.
  public var frame: UInt64?
  /// The simulated time that it waits for, if any.
  public var at: Double?
  /// Whether this id was committed before, so that this commit had no effect.
  public var isRepeat: Bool
  /// The plugins that it needs, each with its readiness, by name.
  public var plugins: [PluginReadiness]
  /// The number of simulated seconds by which its `at` was past on acceptance; `nil` if it was not.
  public var overdue: Double?
  /// The number of changes that it makes; `nil` where that is not known before its frame.
  public var counts: Counts?
  /// The one-shots that may not drive and end as displaced at once, as far as that is known before the frame; at most
  /// ``Limits/displacedInReceipt``, in the order of the log.
  public var displaced: [Displaced] = []

  /// A one-shot of the transaction, and the plan of a higher priority because of which it may not drive.
  public struct Displaced: Hashable, Sendable {
    /// The index of the operation that adds the one-shot, in the transaction that was committed.
    public var operation: Int
    /// The target, if the operation has a selector.
    public var target: TargetName?
    /// A property for which the two compete.
    public var property: PropertyName
    /// The plan of higher priority.
    public var by: IntentionIdentity
    /// That plan's type.
    public var type: IntentionType
    /// That plan's name, if it has one.
    public var name: IntentionName?
    /// That plan's priority.
    public var priority: Int32

    /// Creates an entry.
    public init(
      operation: Int, property: PropertyName, by: IntentionIdentity, type: IntentionType, name: IntentionName?,
      priority: Int32
    ) {
      (self.operation, self.property, self.by) = (operation, property, by)
      (self.type, self.name, self.priority) = (type, name, priority)
    }
  }

  /// How many targets the selectors of operations stood for; at most ``Limits/addressedInReceipt``, in the order of the
  /// log.
  public var addressed: [Addressed] = []
  /// The lists of cues that it moved on, as they are then: with the next cue.
  public var cues: [CueListRow] = []

  /// An operation with a selector, and the number of targets on which it runs.
  public struct Addressed: Hashable, Sendable {
    /// The index of the operation in the transaction that was committed.
    public var operation: Int
    /// The number of targets.
    public var targets: Int

    /// Creates an entry.
    public init(operation: Int, targets: Int) { (self.operation, self.targets) = (operation, targets) }
  }

  /// What limits will do to the transaction's plans and properties, as far as that is known before the frame; at most
  /// ``Limits/limitedInReceipt``, in the order of the log.
  public var limited: [Limited] = []

  /// A plan that limits will hold back from where it demands its property, or limits that a property cannot keep at once.
  public struct Limited: Hashable, Sendable {
    /// The index of the operation that adds the plan or sets the limits, in the transaction that was committed.
    public var operation: Int
    /// The target, if the operation has a selector.
    public var target: TargetName?
    /// The property.
    public var property: PropertyName
    /// The limits that hold the plan back first; for limits that are set, the range, which the property overruns.
    public var limits: [LimitKind]
    /// How far each lane goes beyond the range as it brakes, in the unit of the property; only of limits that are set.
    public var overrun: Lanes?

    /// Creates an entry.
    public init(operation: Int, property: PropertyName, limits: [LimitKind], overrun: Lanes? = nil) {
      (self.operation, self.property, self.limits, self.overrun) = (operation, property, limits, overrun)
    }
  }

  /// The number of changes that a transaction makes.
  public struct Counts: Hashable, Sendable {
    /// The plans that it adds.
    public var added = 0
    /// The plans that it finds and removes; neither plans that an added one replaces nor plans of forgotten targets
    /// count.
    public var removed = 0
    /// The targets that it finds and forgets.
    public var forgotten = 0

    /// Creates counts; all zero by default.
    public init(added: Int = 0, removed: Int = 0, forgotten: Int = 0) {
      self.added = added
      self.removed = removed
      self.forgotten = forgotten
    }

    /// Whether the transaction changes nothing.
    public var areZero: Bool { added == 0 && removed == 0 && forgotten == 0 }
  }

  /// Creates the receipt of a commit with this place in the order.
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

/// The readiness of a plugin that a commit needs.
public struct PluginReadiness: Hashable, Sendable {
  /// The present state of the plugin.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// A worker is in service.
    case ready
    /// A worker is starting.
    case starting
    /// It failed too often and is not started until an operator restarts it.
    case quarantined
  }

  /// The plugin.
  public var plugin: PluginName
  /// Its state.
  public var state: State

  /// Creates the readiness of a plugin.
  public init(_ plugin: PluginName, _ state: State) {
    self.plugin = plugin
    self.state = state
  }
}
