import MotionModel

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
  /// Frames per simulated second when the runtime advances by itself (``advance()``).
  public let ratePerSecond: Double
  // The owners of its state, each with a part of it.
  let position: FramePosition
  let reader: PlanReader
  let movement: Movement
  let plans: Plans
  let workers: WorkerLedger
  let activity: Activity
  let reports: Reports
  let queue: EventQueue
  let staging: StagingArea
  let retirement: Retirement
  let drivers: Drivers
  let updates: WorkerUpdates
  let transactions: Transactions
  var recorder = FrameRecorder()

  /// A runtime with nothing in it.
  ///
  /// - Precondition: the rate is within ``/MotionModel/Limits/rate``.
  public init(registry: ExecutorRegistry = ExecutorRegistry(), ratePerSecond: Double = 120) {
    precondition(Limits.rate.contains(ratePerSecond), "a rate is 1 to 1000 frames per second, not \(ratePerSecond)")
    self.ratePerSecond = ratePerSecond
    position = FramePosition()
    reader = PlanReader(registry)
    movement = Movement()
    plans = Plans(movement)
    workers = WorkerLedger()
    reports = Reports(at: position)
    queue = EventQueue()
    staging = StagingArea()
    activity = Activity(at: position, of: plans, reader, workers, reports, queue, staging)
    retirement = Retirement(activity)
    drivers = Drivers(activity, retirement)
    updates = WorkerUpdates(drivers)
    transactions = Transactions(drivers, of: queue)
  }

  // MARK: Limits

  /// How many failed plans are kept for queries: enough to diagnose a fault, and a bound for every case.
  public static let failuresKept = Reports.failuresKept
  /// How many ended plans are kept for ``takeEnded()``; the oldest are dropped first. A caller that takes them after
  /// each frame misses none unless a million springs come to rest at once. For a caller that never takes them, they use
  /// 100 MB at most.
  public static let endedKept = Reports.endedKept
  /// The most arrivals of properties that are reported to executors in one frame; the others follow in the next frames.
  /// It is a few milliseconds of work: a hundred thousand simultaneous arrivals must not delay a frame by more.
  public static let arrivalsPerFrame = Drivers.arrivalsPerFrame
  /// The most idle executors that are removed in one frame, for the same reason.
  public static let removalsPerFrame = Activity.removalsPerFrame
  /// The fewest operations for which a transaction is staged: fewer are applied in two milliseconds.
  package static let fewestStaged = StagingArea.fewest
  /// The most operations that may be staged at a time, of transactions that are being checked or wait for their frame.
  /// Two of the largest transactions, some 100 MB. Operations beyond that are applied without staging.
  package static let operationsStaged = StagingArea.operationsStaged
  /// How long an idle executor is kept, in simulated seconds (design §5).
  public static let executorLinger = Activity.linger

  // MARK: Settings

  /// Which executor fulfils which intention.
  public var registry: ExecutorRegistry {
    get { reader.registry }
    _modify {
      yield &reader.registry
      staging.registryDidChange()
    }
  }
  /// The tracers, which receive every event, in order.
  public var tracers: [any Tracer] {
    get { reports.tracers }
    _modify { yield &reports.tracers }
  }
  /// How workers are reached. Without a port, executors of plugins never receive their intentions.
  public var workerPort: (any WorkerPort)? {
    get { workers.port }
    set { workers.port = newValue }
  }
  /// Whether each frame computes ``frameHash``; costs a pass over the changed properties.
  public var computesHashes: Bool {
    get { recorder.computesHashes }
    set { recorder.computesHashes = newValue }
  }
  /// Whether changes of drivers are kept for ``takeDriverChanges()``. The caller that sets it takes them after each
  /// frame.
  public var keepsDriverChanges: Bool {
    get { reports.keepsDriverChanges }
    set { reports.keepsDriverChanges = newValue }
  }
  /// Whether the changes for checkpoints are kept for ``takeCheckpointChanges()``. The caller that sets it does so
  /// before the first commit, and takes the changes after each frame.
  package var keepsCheckpoints: Bool {
    get { plans.checkpoints.isKept }
    set { plans.checkpoints.isKept = newValue }
  }
  /// Whether the applied events are kept for ``takeRecord(skipped:)``; set it before the first frame.
  public var isRecording: Bool {
    get { recorder.isOn }
    set { recorder.isOn = newValue }
  }
}
