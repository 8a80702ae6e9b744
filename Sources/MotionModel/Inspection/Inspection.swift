/// A query to a runtime or a daemon.
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
  /// The graph of all these items, on one target or on all, with the streams that executors are made of.
  case graph(TargetName?)
  /// The transactions that wait for their time.
  case waiting
  /// The input values.
  case inputs
  /// The groups of targets.
  case groups
  /// The scenes without their content, or one with it.
  case scenes(SceneName?)
  /// The lists of cues without their content, or one with it.
  case cues(CueListName?)
  /// The clients of the daemon.
  case clients
  /// The complete state after the last frame, to compute in another process what would follow.
  case snapshot
  /// Why a property has its value.
  case why(PropertyReference)
  /// The state of the daemon.
  case status
}

/// The answer to a query.
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
  /// The graph of the runtime's items.
  case graph(RuntimeGraph)
  /// Transactions that wait for their time, in the order in which they will be applied.
  case waiting([WaitingRow])
  /// Input values, by name.
  case inputs([InputRow])
  /// Groups of targets, by name.
  case groups([GroupRow])
  /// Scenes, by name.
  case scenes([SceneRow])
  /// Lists of cues, by name.
  case cues([CueListRow])
  /// Clients, in the order of their first requests.
  case clients([ClientRow])
  /// The complete state, as the beginning of a recording.
  case snapshot(RecordingHeader)
  /// Why a property has its value.
  case why(Explanation)
  /// The state of the daemon.
  case status(Status)
}

/// A transaction that waits for its time or for the next frame, as queries show it.
public struct WaitingRow: Hashable, Sendable {
  /// Its place in the order of all transactions.
  public var sequence: UInt64
  /// The simulated time that it waits for; the present time if it waits for the next frame.
  public var at: Double
  /// The number of its operations.
  public var operations: Int
  /// A summary of its first operations, for people.
  public var summary: String
  /// The provenance; `nil` if it was not stored.
  public var provenance: Provenance?

  /// Creates a waiting transaction.
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
  /// The number of its properties.
  public var properties: Int
  /// The number of executors that serve it.
  public var executors: Int
  /// The number of its intentions.
  public var intentions: Int
  /// Whether one of its executors is active.
  public var isActive: Bool

  /// Creates a target with its counts.
  public init(target: TargetName, properties: Int, executors: Int, intentions: Int, isActive: Bool) {
    self.target = target
    self.properties = properties
    self.executors = executors
    self.intentions = intentions
    self.isActive = isActive
  }
}

/// A property, as queries show it: its state, its driver, and the plans behind the driver.
public struct PropertyRow: Hashable, Sendable {
  /// The property.
  public var reference: PropertyReference
  /// Its handle in messages.
  public var handle: PropertyHandle
  /// Its value and velocity.
  public var state: PropertyState
  /// The executor that drives it, or `nil`.
  public var driver: ExecutorType?
  /// The intentions for which the driver moves this property, the latest last: not those of a lower priority.
  public var because: [IntentionIdentity]
  /// The writers below the driver that could drive again, topmost first.
  public var waiting: [ExecutorType]
  /// The frame of its last change.
  public var changedFrame: UInt64
  /// Whether the driver is late or has failed, so that the velocity fades, or whether the remainder of such a fade is
  /// still fading.
  public var isLate: Bool
  /// The limits that were set; `nil` if none were.
  public var limits: LimitSetting?
  /// The state that the driver demands, if limits hold the property back from it.
  public var demand: PropertyState?

  /// Creates a property with its driver.
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
  /// The worker that runs it; `nil` for an executor in the coordinator.
  public var worker: WorkerAddress?
  /// The number of its intentions.
  public var intentions: Int
  /// The tokens it holds, sorted.
  public var tokens: [TokenName]
  /// Whether it is active.
  public var isActive: Bool
  /// The properties it drives, sorted.
  public var drives: [PropertyName]

  /// Creates an executor with its counts.
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
  /// The state of an intention.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Its start time has been reached, and its executor has received it.
    case added
    /// It waits for its time, or for a manipulation or a plan of a higher priority to end.
    case waiting
    /// Its worker is not ready; the coordinator delivers it later.
    case owed
    /// Its executor rejected it or could not fulfil it.
    case failed
  }

  /// The intention's identity.
  public var identity: IntentionIdentity
  /// The intention's target.
  public var target: TargetName
  /// Its name, if it has one.
  public var name: IntentionName?
  /// The plan.
  public var intention: Intention
  /// Its kind.
  public var kind: IntentionKind
  /// The executor that fulfils it.
  public var executor: ExecutorType
  /// The intention's state.
  public var state: State
  /// The reason for its failure; empty otherwise.
  public var reason: String
  /// The provenance of the intention, or of its first ancestor; `nil` if it was not stored.
  public var provenance: Provenance?
  /// Whether it has lost a property to another plan, and moves it until the first values of that plan arrive.
  public var isDisplaced = false
  /// The present value of the input that it follows; `nil` if it follows none, or the input is absent.
  public var input: Lanes?
  /// The simulated time for which it waits; `nil` if it waits for none.
  public var begins: Double?

  /// Creates an intention with its state.
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

  /// Creates a token of an executor.
  public init(executor: ExecutorKey, token: TokenName) {
    self.executor = executor
    self.token = token
  }
}

/// A plan that ended, as subscribers to outcomes receive it.
public struct EndedIntention: Hashable, Sendable {
  /// The plan's identity.
  public var identity: IntentionIdentity
  /// The plan's target.
  public var target: TargetName
  /// Its type.
  public var type: IntentionType
  /// Its name, if it had one.
  public var name: IntentionName?
  /// The frame in which it ended.
  public var frame: UInt64
  /// The outcome.
  public var outcome: Outcome
  /// The reason for its failure; empty otherwise.
  public var reason: String

  /// Creates an ended intention with its outcome.
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
