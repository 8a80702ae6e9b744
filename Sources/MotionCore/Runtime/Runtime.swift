public import MotionModel
import MotionPhysics

/// Coordinates intentions and executors: commit transactions, advance frames, read properties.
///
/// A runtime has no thread, no clock and no input or output: its caller advances it, and many may exist side by side.
/// The same transactions in the same frames give the same bits. Not sendable: one owner at a time.
///
///     let runtime = Runtime()
///     var transaction = Transaction()
///     transaction.add(.springTo("position", [100, 50]), to: "ball")
///     try runtime.commit(transaction)
///     while runtime.wantsFrames { runtime.advance() }
public final class Runtime {
  /// Which executor fulfils which intention.
  public var registry: ExecutorRegistry {
    didSet {
      (lastReading, abilities) = (nil, [:])
      for entry in staging { entry.transaction?.registryDidChange() }
    }
  }
  /// Frames per simulated second when the runtime advances by itself (``advance()``).
  public let ratePerSecond: Double
  /// The tracers, which receive every event, in order.
  public var tracers: [any Tracer] = []
  /// How workers are reached. Without a port, executors of plugins never receive their intentions.
  public weak var workerPort: (any WorkerPort)?

  /// The last frame that was run.
  public internal(set) var frame = Frame(number: 0, time: 0, dt: 0)
  /// Whether anything moves, or may move with the next frame, an executor holds a token, or a plan is owed to a worker.
  ///
  /// Frames have something to do only while ``wantsFrames``.
  public internal(set) var isActive = false
  /// Whether each frame computes ``frameHash``; costs a pass over the changed properties.
  public var computesHashes = false
  /// The hash of the last frame: its number, time and dt, and every property that changed in it, bit for bit.
  public internal(set) var frameHash: UInt64 = 0
  /// The plans that ended in the last frame or since, in order.
  public internal(set) var ended: [EndedIntention] = []
  /// The latest failed plans, the newest last; at least the last ``failuresKept``, at most twice as many.
  public internal(set) var failures: [IntentionRow] = []
  /// How many writes were refused because they were not finite, or because the executor may not write the property.
  public internal(set) var refusedWrites: UInt64 = 0
  /// How many starts of tokens were refused because their executor held ``/MotionModel/Limits/tokensPerExecutor``.
  public internal(set) var refusedTokens: UInt64 = 0
  /// How many times a driver was late for a frame.
  public internal(set) var lateUpdates: UInt64 = 0
  /// Whether changes of drivers are kept for ``takeDriverChanges()``. The caller that sets it takes them after each
  /// frame.
  public var keepsDriverChanges = false {
    didSet { if !keepsDriverChanges { driverChanges = [] } }
  }
  /// Whether the changes for checkpoints are kept for ``takeCheckpointChanges()``. The caller that sets it does so
  /// before the first commit, and takes the changes after each frame.
  package var keepsCheckpoints = false
  /// Whether the applied events are kept for ``takeRecord(skipped:)``; set it before the first frame.
  public var isRecording = false

  /// How many failed plans are kept for queries: enough to diagnose a fault, and a bound for every case.
  public static let failuresKept = 1000
  /// How many ended plans are kept for ``takeEnded()``; the oldest are dropped first. A caller that takes them after
  /// each frame misses none unless a million springs come to rest at once. For a caller that never takes them, they use
  /// 100 MB at most.
  public static let endedKept = 1_000_000
  /// The most arrivals of properties that are reported to executors in one frame; the others follow in the next frames.
  /// It is a few milliseconds of work: a hundred thousand simultaneous arrivals must not delay a frame by more.
  public static let arrivalsPerFrame = 4_000
  /// The most idle executors that are removed in one frame, for the same reason.
  public static let removalsPerFrame = 4_000
  /// The fewest operations for which a transaction is staged: fewer are applied in two milliseconds.
  package static let fewestStaged = 1_000
  /// The most operations that may be staged at a time, of transactions that are being checked or wait for their frame.
  /// Two of the largest transactions, some 100 MB. Operations beyond that are applied without staging.
  package static let operationsStaged = 2 * Limits.operationsPerTransaction
  /// How long an idle executor is kept, in simulated seconds (design §5).
  public static let executorLinger = 0.5

  // The properties and their writers. Only the runtime's own extensions access the fields below.
  @exclusivity(unchecked) var properties = PropertyTable()
  let bank = SpringBank()
  //
  // The runtime has one owner, and no reference to these fields leaves it. Accesses to them follow each other, or nest
  // at different places. Checking that at run time took 5 % of a large transaction.
  @exclusivity(unchecked) var targets = NameTable<TargetRecord>()
  @exclusivity(unchecked) var targetOrder = TargetOrder()
  @exclusivity(unchecked) var executors = NumberedTable<ExecutorHandle, ExecutorRecord>()
  let intentions = IntentionTable()
  var workers: [WorkerAddress: WorkerRecord] = [:]
  var quarantined: [PluginName: String] = [:]
  /// Plans that would have stood, or waited for a manipulation, and were quarantined because workers crashed on them.
  /// They may be tried again.
  var quarantinedPlans: [IntentionRow] = []
  /// Which executors read which properties, and by how many plans.
  var readers: [PropertyReference: [ExecutorHandle: Int]] = [:]

  // Events and transactions that wait for a frame.
  var pending: [RuntimeEvent] = []
  var waiting = WaitingTransactions()
  /// The provenance of transactions.
  var provenances = ProvenanceLedger()
  /// The staged parts of waiting transactions, by their sequence.
  var staged: [UInt64: StagedTransaction] = [:]
  /// All staged transactions: those that wait, and those that are only being checked.
  var staging: [WeakStagedTransaction] = []
  /// How many of the pending events are input.
  var waitingInputs = 0
  /// The events that were applied in the last frame, and between the frame before and it.
  var applied: [RuntimeEvent] = []
  var appliedBetween: [RuntimeEvent] = []

  /// The changes of drivers in the last frame, or since.
  var driverChanges: [DriverChange] = []
  /// The records whose changes have not been reported for checkpoints.
  var touched: [Touched] = []

  // The runtime's position in its frame.
  /// Changes that take effect now take effect at the start of this. It is the frame, until the frame has moved
  /// everything. From then on, and between frames, it is an interval without length at the end of the last frame.
  var moment = Frame(number: 0, time: 0, dt: 0)
  /// Whether a frame, or a change between frames, is under way.
  var isBusy = false
  /// Whether the events being applied belong to a frame.
  var isInFrame = false
  var isSettling = false
  /// Whether the events being applied were accepted by another process: plans that are no longer valid here are
  /// reported as failed.
  var isRecovering = false

  // Work for this frame.
  /// How many executors are active, and how many want frames.
  var executorActivity = ActivityCount()
  /// How many tokens the executors hold: a status query must not cost a walk over a million of them.
  var tokenCount = 0
  var updating: [ExecutorHandle] = []
  var updatingIsSorted = true
  /// The properties that samples of workers move, or that are in motion without a mover.
  var watched: [PropertyTable.Slot] = []
  @exclusivity(unchecked) var unsettled: [PropertyTable.Slot] = []
  /// Executors that received a plan for a property from which they were displaced, until its writers are settled.
  var givenWhileSilent: [(PropertyTable.Slot, ExecutorHandle)] = []
  /// Rows of staged transactions that are applied and are settled in their turn.
  var stagedRuns: [StagedRun] = []
  /// The remains of applied transactions, until a caller takes them.
  var spent: [SpentTransaction] = []
  /// The fewest operations for which a transaction is staged: ``Runtime/fewestStaged``, except in tests.
  var fewestStaged = Runtime.fewestStaged
  /// Plans of large transactions that ended before they began, and have not been reported yet.
  var superseded = SupersededPlans()
  /// Motions that came to rest and whose executors have not been notified yet, in order, because they were too many for
  /// one frame.
  var arrivals: [SpringBank.Arrival] = []
  /// Executors without plans and tokens, with the time since when, in that order. Some may have got new plans since.
  var emptied: [(executor: ExecutorHandle, since: Double)] = []
  /// How many of these, from the first on, have been checked already.
  var emptiedLooked = 0
  /// Whether some of them have to be removed although nothing moves: they were too many for one frame.
  var isTidying = false
  /// Events of workers in this frame that take effect at its end.
  var endings: [WorkerEndings] = []
  /// The plans that end with the frame, and how; lingering plans, too.
  var ending: [IntentionIdentity: (outcome: Outcome, reason: String)] = [:]
  /// Plans that are completed except for a difference that has yet to fade, in the order in which their completion was
  /// reported.
  var lingering: [IntentionIdentity] = []

  /// The last plan that was read: the next is often the same for another target.
  var lastReading: PlanReading?
  /// The abilities of executors, by their type.
  var abilities: [ExecutorType: ExecutorAbilities] = [:]

  var lastSequence: UInt64 = 0
  var lastOrder: UInt64 = 0
  var lastTarget: UInt64 = 0
  var lastExecutor: UInt32 = 0

  /// A runtime with nothing in it.
  ///
  /// - Precondition: the rate is within ``/MotionModel/Limits/rate``.
  public init(registry: ExecutorRegistry = ExecutorRegistry(), ratePerSecond: Double = 120) {
    precondition(Limits.rate.contains(ratePerSecond), "a rate is 1 to 1000 frames per second, not \(ratePerSecond)")
    self.registry = registry
    self.ratePerSecond = ratePerSecond
  }

  /// Passes an event to every tracer; without a tracer, the event is not even created.
  func trace(_ event: @autoclosure () -> TraceEvent) {
    guard !tracers.isEmpty else { return }
    let event = event()
    for tracer in tracers { tracer.trace(event, frame: frame.number) }
  }
}
