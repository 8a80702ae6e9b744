/// What can be asked of a runtime or a daemon.
public enum Query: Hashable, Sendable {
  /// The targets.
  case targets
  /// The properties, of one target or of all.
  case properties(TargetName?)
  /// The executors, of one target or of all.
  case executors(TargetName?)
  /// The intentions, of one target or of all, failed ones included.
  case intentions(TargetName?)
  /// The tokens, of one target or of all.
  case tokens(TargetName?)
  /// The plugins, with their workers.
  case plugins
  /// The descriptions of the types of intentions, or of one.
  case types(IntentionType?)
  /// How all of that hangs together, on one target or on all, with the streams that executors are made of.
  case graph(TargetName?)
  /// The transactions that wait for their time.
  case waiting
  /// How the daemon is.
  case status
}

/// What is answered.
public enum Answer: Hashable, Sendable {
  /// Targets, in order of first mention.
  case targets([TargetRow])
  /// Properties, in order of first mention.
  case properties([PropertyRow])
  /// Executors, in order of creation.
  case executors([ExecutorRow])
  /// Intentions, in order of addition.
  case intentions([IntentionRow])
  /// Tokens.
  case tokens([TokenRow])
  /// Plugins, by name.
  case plugins([PluginRow])
  /// Types, by name.
  case types([IntentionDescription])
  /// What there is, and how it hangs together.
  case graph(RuntimeGraph)
  /// Transactions that wait for their time, in the order in which they will be applied.
  case waiting([WaitingRow])
  /// How the daemon is.
  case status(Status)
}

/// A transaction that waits for its time, as queries show it.
public struct WaitingRow: Hashable, Sendable {
  /// Its place in the order of all transactions.
  public var sequence: UInt64
  /// The simulated time that it waits for.
  public var at: Double
  /// How many operations it has.
  public var operations: Int
  /// What its first operations do, for people.
  public var summary: String
  /// Who committed it; `nil` if that was not kept.
  public var provenance: Provenance?

  /// A transaction that waits.
  public init(sequence: UInt64, at: Double, operations: Int, summary: String, provenance: Provenance? = nil) {
    self.sequence = sequence
    self.at = at
    self.operations = operations
    self.summary = summary
    self.provenance = provenance
  }
}

/// A target, as queries show it.
public struct TargetRow: Hashable, Sendable {
  /// Its name.
  public var target: TargetName
  /// How many properties it has.
  public var properties: Int
  /// How many executors serve it.
  public var executors: Int
  /// How many intentions it has.
  public var intentions: Int
  /// Whether an executor of it is active.
  public var isActive: Bool

  /// A target with its counts.
  public init(target: TargetName, properties: Int, executors: Int, intentions: Int, isActive: Bool) {
    self.target = target
    self.properties = properties
    self.executors = executors
    self.intentions = intentions
    self.isActive = isActive
  }
}

/// A property, as queries show it: where it is, and who moves it and why.
public struct PropertyRow: Hashable, Sendable {
  /// The property.
  public var reference: PropertyReference
  /// Its short name in messages.
  public var handle: PropertyHandle
  /// Where it is and how fast it moves.
  public var state: PropertyState
  /// The executor in charge, or `nil`.
  public var driver: ExecutorType?
  /// The intentions of the driver on this property, the latest last.
  public var because: [IntentionIdentity]
  /// The writers below the driver, topmost first.
  public var waiting: [ExecutorType]
  /// The frame of its last change.
  public var changedFrame: UInt64
  /// Whether the driver is late or dead, so that the velocity fades, or what that has left still fades.
  public var isLate: Bool

  /// A property with its driver.
  public init(
    reference: PropertyReference, handle: PropertyHandle, state: PropertyState, driver: ExecutorType?,
    because: [IntentionIdentity], waiting: [ExecutorType], changedFrame: UInt64, isLate: Bool
  ) {
    self.reference = reference
    self.handle = handle
    self.state = state
    self.driver = driver
    self.because = because
    self.waiting = waiting
    self.changedFrame = changedFrame
    self.isLate = isLate
  }
}

/// An executor, as queries show it.
public struct ExecutorRow: Hashable, Sendable {
  /// Its target and type.
  public var key: ExecutorKey
  /// The worker it lives in; `nil` in the coordinator.
  public var worker: WorkerAddress?
  /// How many intentions it has.
  public var intentions: Int
  /// The tokens it holds, sorted.
  public var tokens: [TokenName]
  /// Whether it is active.
  public var isActive: Bool
  /// The properties it drives, sorted.
  public var drives: [PropertyName]

  /// An executor with its counts.
  public init(
    key: ExecutorKey, worker: WorkerAddress?, intentions: Int, tokens: [TokenName], isActive: Bool,
    drives: [PropertyName]
  ) {
    self.key = key
    self.worker = worker
    self.intentions = intentions
    self.tokens = tokens
    self.isActive = isActive
    self.drives = drives
  }
}

/// An intention, as queries show it.
public struct IntentionRow: Hashable, Sendable {
  /// What has become of it.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Its time has come: its executor has it.
    case added
    /// It waits for a manipulation to end.
    case waiting
    /// Its worker is not ready; it is owed to it.
    case owed
    /// Its executor refused it or could not fulfil it.
    case failed
  }

  /// Which.
  public var identity: IntentionIdentity
  /// On which target.
  public var target: TargetName
  /// Its name, if it has one.
  public var name: IntentionName?
  /// The plan.
  public var intention: Intention
  /// Its kind.
  public var kind: IntentionKind
  /// The executor that has it.
  public var executor: ExecutorType
  /// What has become of it.
  public var state: State
  /// Why it failed; empty otherwise.
  public var reason: String
  /// Who committed it, or its first ancestor; `nil` if that was not kept.
  public var provenance: Provenance?

  /// An intention with its state.
  public init(
    identity: IntentionIdentity, target: TargetName, name: IntentionName?, intention: Intention, kind: IntentionKind,
    executor: ExecutorType, state: State, reason: String = "", provenance: Provenance? = nil
  ) {
    self.provenance = provenance
    self.identity = identity
    self.target = target
    self.name = name
    self.intention = intention
    self.kind = kind
    self.executor = executor
    self.state = state
    self.reason = reason
  }
}

/// A token, as queries show it.
public struct TokenRow: Hashable, Sendable {
  /// The executor that holds it.
  public var executor: ExecutorKey
  /// Its name.
  public var token: TokenName

  /// A token of an executor.
  public init(executor: ExecutorKey, token: TokenName) {
    self.executor = executor
    self.token = token
  }
}

/// A plan that ended, as subscribers to outcomes hear it.
public struct EndedIntention: Hashable, Sendable {
  /// Which.
  public var identity: IntentionIdentity
  /// On which target.
  public var target: TargetName
  /// Its type.
  public var type: IntentionType
  /// Its name, if it had one.
  public var name: IntentionName?
  /// The frame in which it ended.
  public var frame: UInt64
  /// How it ended.
  public var outcome: Outcome
  /// Why it failed; empty otherwise.
  public var reason: String

  /// An intention with its outcome.
  public init(
    identity: IntentionIdentity, target: TargetName, type: IntentionType, name: IntentionName?, frame: UInt64,
    outcome: Outcome, reason: String = ""
  ) {
    self.identity = identity
    self.target = target
    self.type = type
    self.name = name
    self.frame = frame
    self.outcome = outcome
    self.reason = reason
  }
}
