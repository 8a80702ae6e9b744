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
  /// What happens, in order, for the readers that need it.
  public let log: EventLog
  /// Frames per simulated second when the runtime advances by itself (``advance()``).
  public let ratePerSecond: Double
  // The owners of its state, each with a part of it.
  let position: FramePosition
  let reader: PlanReader
  let movement: Movement
  let plans: Plans
  let workers: WorkerLedger
  let activity: Activity
  let queue: EventQueue
  let staging: StagingArea
  let retirement: Retirement
  let drivers: Drivers
  let updates: WorkerUpdates
  let transactions: Transactions
  /// What no frame depends on.
  package var show = Show()

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
    log = EventLog(at: position, of: plans)
    queue = EventQueue()
    staging = StagingArea()
    activity = Activity(at: position, of: plans, reader, workers, log, queue, staging)
    retirement = Retirement(activity)
    drivers = Drivers(activity, retirement)
    updates = WorkerUpdates(drivers)
    transactions = Transactions(drivers, of: queue)
  }

  // MARK: Limits

  /// How many failed plans are kept for queries: enough to diagnose a fault, and a bound for every case.
  public static let failuresKept = FailedPlans.kept
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
  /// A number that grows with each change of the registry.
  package var registryVersion: UInt64 { reader.registryVersion }
  /// How workers are reached. Without a port, executors of plugins never receive their intentions.
  public var workerPort: (any WorkerPort)? {
    get { workers.port }
    set { workers.port = newValue }
  }
  /// Whether each frame computes ``frameHash``; costs a pass over the changed properties.
  public var computesHashes: Bool {
    get { log.hasher.isOn }
    set { log.hasher.isOn = newValue }
  }
}

extension Runtime {
  /// The scenes by name.
  package var scenes: SceneTable {
    get { show.scenes }
    _modify { yield &show.scenes }
  }

  /// The lists of cues by name.
  package var cues: CueTable {
    get { show.cues }
    _modify { yield &show.cues }
  }
}
