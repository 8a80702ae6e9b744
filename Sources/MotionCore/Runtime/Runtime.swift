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
      for entry in staging { entry.transaction?.leaveEverything() }
    }
  }
  /// Frames per simulated second when the runtime advances by itself (``advance()``).
  public let ratePerSecond: Double
  /// Who hears what happens, in order.
  public var tracers: [any Tracer] = []
  /// How workers are reached; without one, executors of plugins are owed their intentions for ever.
  public weak var workerPort: (any WorkerPort)?

  /// The last frame that was run.
  public internal(set) var frame = Frame(number: 0, time: 0, dt: 0)
  /// Whether anything moves, or may move with the next frame, or an executor holds a token, or a plan is owed to a worker.
  ///
  /// Frames have something to do only while ``wantsFrames``.
  public internal(set) var isActive = false
  /// Whether each frame computes ``frameHash``; costs a pass over what changed.
  public var computesHashes = false
  /// The hash of the last frame: its number, time and dt, and every property that changed in it, bit for bit.
  public internal(set) var frameHash: UInt64 = 0
  /// The plans that ended in the last frame or since, in order.
  public internal(set) var ended: [EndedIntention] = []
  /// The plans that failed last, the latest last; at least the last ``failuresKept``, at most twice as many.
  public internal(set) var failures: [IntentionRow] = []
  /// How many writes were refused because they were not finite or not the executor's to make.
  public internal(set) var refusedWrites: UInt64 = 0
  /// How many starts of tokens were refused because their executor held ``/MotionModel/Limits/tokensPerExecutor``.
  public internal(set) var refusedTokens: UInt64 = 0
  /// How many times a driver was late for a frame.
  public internal(set) var lateUpdates: UInt64 = 0
  /// Whether changes of drivers are kept for ``takeDriverChanges()``; whoever sets it takes them after each frame.
  public var keepsDriverChanges = false {
    didSet { if !keepsDriverChanges { driverChanges = [] } }
  }
  /// Whether what checkpoints need is kept for ``takeCheckpointChanges()``; whoever sets it, before anything is committed,
  /// takes them after each frame.
  package var keepsCheckpoints = false
  /// Whether what is applied is kept for ``takeRecord(skipped:)``; set it before the first frame.
  public var isRecording = false

  /// How many failed plans are kept for queries: enough to see what goes wrong, bounded whatever does.
  public static let failuresKept = 1000
  /// How many plans that ended are kept for ``takeEnded()``, the oldest forgotten first: a caller who takes them after
  /// each frame misses none unless a million springs come to rest at once, and one who never does keeps 100 MB at most.
  public static let endedKept = 1_000_000
  /// How many executors are told in one frame at most that what they move has arrived; the others are told in the next
  /// ones. A few milliseconds' worth: a hundred thousand that arrive together must not delay a frame by more.
  public static let arrivalsPerFrame = 4_000
  /// How many executors without anything to do are removed in one frame at most, likewise.
  public static let removalsPerFrame = 4_000
  /// How many operations a transaction has at the fewest that is staged: fewer are applied in two milliseconds.
  package static let fewestStaged = 1_000
  /// How many operations may be staged at a time, of transactions that are being checked or wait for their frame: two of
  /// the largest, some 100 MB. Those beyond are applied without.
  package static let operationsStaged = 2 * Limits.operationsPerTransaction
  /// How long an executor without anything to do is kept, in simulated seconds (design §5).
  public static let executorLinger = 0.5

  // What is moved, and by whom. Everything below is touched by the runtime's own extensions only.
  @exclusivity(unchecked) var properties = PropertyTable()
  let bank = SpringBank()
  //
  // One owner calls, and no reference to these is given away: accesses to them lie one behind the other or within each
  // other at different places, and checking that at run time took 5 % of a large transaction.
  @exclusivity(unchecked) var targets = NameTable<TargetRecord>()
  @exclusivity(unchecked) var targetOrder = TargetOrder()
  @exclusivity(unchecked) var executors = NumberedTable<ExecutorHandle, ExecutorRecord>()
  let intentions = IntentionTable()
  var workers: [WorkerAddress: WorkerRecord] = [:]
  var quarantined: [PluginName: String] = [:]
  /// What stood, or waited for a hand, and was given up because workers died on it: it may be tried again.
  var quarantinedPlans: [IntentionRow] = []
  /// Which executors read which properties, and by how many plans.
  var readers: [PropertyReference: [ExecutorHandle: Int]] = [:]

  // What is waiting for the next frame.
  var pending: [RuntimeEvent] = []
  var waiting = WaitingTransactions()
  /// Who committed what.
  var provenances = ProvenanceLedger()
  /// Of transactions that wait, by their sequence, what is staged.
  var staged: [UInt64: StagedTransaction] = [:]
  /// Those, and the ones that are only being checked.
  var staging: [WeakStagedTransaction] = []
  /// How many of the pending events are input.
  var waitingInputs = 0
  /// What was applied in the last frame, and between the frame before and it.
  var applied: [RuntimeEvent] = []
  var appliedBetween: [RuntimeEvent] = []

  /// Who took which property over in the last frame, or since.
  var driverChanges: [DriverChange] = []
  /// What is different from what whoever keeps checkpoints has heard.
  var touched: [Touched] = []

  // Where the runtime is in its frame.
  /// What takes effect now takes effect at the start of this: the frame, until it has moved everything; from then on,
  /// and between frames, an interval without length at the end of the last one.
  var moment = Frame(number: 0, time: 0, dt: 0)
  /// Whether a frame, or a change between frames, is under way.
  var isBusy = false
  /// Whether what is applied belongs to a frame.
  var isInFrame = false
  var isSettling = false
  /// Whether what is applied was accepted by another process: what does not hold here any more is reported as failed.
  var isRecovering = false

  // What has to be looked at in this frame.
  /// How many executors are active, and how many want frames.
  var executorActivity = ActivityCount()
  /// How many tokens they hold: a status must not cost a walk over a million of them.
  var tokenCount = 0
  var updating: [ExecutorHandle] = []
  var updatingIsSorted = true
  /// The properties that words of workers move, or nobody although they are in motion.
  var watched: [PropertyTable.Slot] = []
  @exclusivity(unchecked) var unsettled: [PropertyTable.Slot] = []
  /// Executors that received a plan for a property from which they were displaced, until its writers are settled.
  var givenWhileSilent: [(PropertyTable.Slot, ExecutorHandle)] = []
  /// What was staged and is settled in its turn.
  var stagedRuns: [StagedRun] = []
  /// What is left of them, until somebody takes it.
  var spent: [SpentTransaction] = []
  /// How many operations a transaction has at the fewest that is staged: ``Runtime/fewestStaged`` but in tests.
  var fewestStaged = Runtime.fewestStaged
  /// What of large transactions ended before it began, and was not reported yet.
  var superseded = SupersededPlans()
  /// What came to rest and whose executors have not been told yet, in order, because it was too much for one frame.
  var arrivals: [SpringBank.Arrival] = []
  /// Executors that have nothing left, with the time since when, in order of it; some may have got something since.
  var emptied: [(executor: ExecutorHandle, since: Double)] = []
  /// How many of these, from the first on, were looked at already.
  var emptiedLooked = 0
  /// Whether some of them have to go although nothing moves: they were too many for one frame.
  var isTidying = false
  /// What workers said in this frame that takes effect at its end.
  var endings: [WorkerEndings] = []
  /// Which plans are about to end with it, and how; those that linger, too.
  var ending: [IntentionIdentity: (outcome: Outcome, reason: String)] = [:]
  /// Plans that are completed but for a difference that has yet to fade, in the order in which they said so.
  var lingering: [IntentionIdentity] = []

  /// The plan that was read last: the next is often the same for another target.
  var lastReading: PlanReading?
  /// What executors can do, by their type.
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

  /// Tells every tracer; without any, the event is not even made.
  func trace(_ event: @autoclosure () -> TraceEvent) {
    guard !tracers.isEmpty else { return }
    let event = event()
    for tracer in tracers { tracer.trace(event, frame: frame.number) }
  }
}
