import MotionModel

/// The runtime's record of an intention that has been applied and has not ended.
final class IntentionRecord {
  private(set) var identity: IntentionIdentity
  let target: TargetRecord
  private(set) var executor: ExecutorHandle
  // The small fields stand together, so that there are no gaps between them: there may be millions of these records.
  let kind: IntentionKind
  /// Whether plans of its type may read properties.
  let mayRead: Bool
  /// Whether its executor has it, waits to get it, or is owed it.
  var state = IntentionRow.State.owed
  /// Its state in the reports for checkpoints: whether it has been reported, and whether it is still to be reported.
  var marks = CheckpointMarks()
  let intention: Intention
  /// The properties it writes.
  let slots: SmallList<PropertyTable.Slot>
  /// Its place in the order of all additions.
  private(set) var order: UInt64
  private var startFrame: UInt64 = 0
  /// Not a number until its time begins.
  private var startTime = Double.nan
  /// The part that it shares with the other plans of its transaction.
  private let common: Common?
  /// Fields that few plans have: they take memory only for those.
  private var rare: Rare?

  /// The part that the plans of one transaction share.
  final class Common {
    /// For a staged transaction, the beginning of all its plans; `nil` until then, and for all other transactions.
    /// Setting each plan's own beginning took 4 ms of the frame that applies a hundred thousand: their records have not
    /// been accessed for a while.
    var start: (frame: UInt64, time: Double)?
    /// The provenance of the transaction.
    fileprivate(set) var provenance: StoredProvenance?

    init(_ provenance: StoredProvenance? = nil) { self.provenance = provenance }

    /// Takes over the provenance of a transaction that was staged before its provenance was known.
    func adopt(_ other: Common?) { provenance = other?.provenance }
  }

  private final class Rare {
    var name: IntentionName?
    var starts: [PlannedIntention.Start] = []
    var emitted = OrdinalSet()
    var children: Set<UInt32> = []
    var duration: Double?
    var limits: LimitSetting?
    var begins: Double?
  }

  init(
    _ reading: PlanReading, as identity: IntentionIdentity, named name: IntentionName?, on target: TargetRecord,
    executor: ExecutorHandle, slots: SmallList<PropertyTable.Slot>, order: UInt64,
    sharing common: Common? = nil
  ) {
    self.common = common
    self.identity = identity
    self.target = target
    self.executor = executor
    self.slots = slots
    self.order = order
    intention = reading.intention
    kind = reading.kind
    mayRead = reading.mayRead
    if let name { made.name = name }
  }

  /// Renumbers a staged record whose numbers have been given to others meanwhile.
  func number(sequence: UInt64, executor: ExecutorHandle, order: UInt64) {
    identity.sequence = sequence
    (self.executor, self.order) = (executor, order)
  }

  /// Gives it another place in the order of additions.
  func number(order: UInt64) { self.order = order }

  private var made: Rare {
    let rare = rare ?? Rare()
    self.rare = rare
    return rare
  }

  /// When its time began; `nil` until then.
  var start: (frame: UInt64, time: Double)? {
    get { startTime.isNaN ? common?.start : (startFrame, startTime) }
    set { (startFrame, startTime) = newValue ?? (0, .nan) }
  }

  /// The provenance of its transaction, or of its first ancestor's.
  var provenance: Provenance? { common?.provenance?.model }

  /// The part that the plans that it emits share.
  var commonOfChildren: Common? {
    guard let common, common.start != nil else { return common }
    // Their time begins when they are added, not with the plans that were staged with this one.
    return common.provenance.map { Common($0) }
  }

  /// Its name on its target.
  var name: IntentionName? { rare?.name }

  /// The duration that was settled for a move that arrives together with others, in seconds.
  var duration: Double? {
    get { rare?.duration }
    set { if rare != nil || newValue != nil { made.duration = newValue } }
  }

  /// The limits that the property of a move had when its time began; `nil` if none were set.
  var limits: LimitSetting? {
    get { rare?.limits }
    set { if rare != nil || newValue != nil { made.limits = newValue } }
  }

  /// The simulated time from which on it may begin; `nil` if it does not wait for a time.
  var begins: Double? {
    get { rare?.begins }
    set { if rare != nil || newValue != nil { made.begins = newValue } }
  }

  /// The states of its properties when its time began. They are kept for plans in workers, which may have to be sent
  /// again, and for moves, which continue after a restart from there.
  var starts: [PlannedIntention.Start] {
    get { rare?.starts ?? [] }
    set { if rare != nil || !newValue.isEmpty { made.starts = newValue } }
  }

  /// The ordinals of the plans that it emitted so far.
  var emitted: OrdinalSet {
    get { rare?.emitted ?? OrdinalSet() }
    set { made.emitted = newValue }
  }

  /// The ordinals of the emitted plans that have not ended.
  var children: Set<UInt32> {
    get { rare?.children ?? [] }
    set { if rare != nil || !newValue.isEmpty { made.children = newValue } }
  }

  /// The intention as its executor receives it, once its time has begun.
  func planned(from starts: [PlannedIntention.Start]) -> PlannedIntention? {
    guard let start else { return nil }
    return PlannedIntention(
      identity: identity, intention: intention, name: name, startFrame: start.frame, startTime: start.time,
      starts: starts)
  }
}

/// The ordinals of the plans that a plan emitted, so that emitting one again does nothing. It stays small for an
/// executor that counts up from 0.
struct OrdinalSet {
  private var countedUp: UInt32 = 0
  private var others: Set<UInt32> = []

  /// All ordinals below this one, and these besides.
  init(below countedUp: UInt32 = 0, and others: [UInt32] = []) {
    (self.countedUp, self.others) = (countedUp, Set(others))
  }

  /// All ordinals below this one are in it.
  var below: UInt32 { countedUp }
  /// The other ordinals in it, in order.
  var beyond: [UInt32] { others.sorted() }

  /// - Returns: whether the ordinal is new.
  mutating func insert(_ ordinal: UInt32) -> Bool {
    // The highest ordinal is rejected, because no number comes after it.
    guard ordinal >= countedUp, ordinal < .max, others.insert(ordinal).inserted else { return false }
    while others.remove(countedUp) != nil { countedUp += 1 }
    return true
  }
}

/// The optional protocols that an executor implements. Its type decides, so the casts are done once for all executors
/// of a type.
struct ExecutorAbilities: OptionSet {
  let rawValue: UInt8
  static let takesNames = ExecutorAbilities(rawValue: 1)
  static let updates = ExecutorAbilities(rawValue: 2)
  static let yields = ExecutorAbilities(rawValue: 4)
  static let reads = ExecutorAbilities(rawValue: 8)
  static let takesInput = ExecutorAbilities(rawValue: 16)
  /// Whether it moves properties under limits, from start states that it needs again after a restart.
  static let moves = ExecutorAbilities(rawValue: 32)
  /// Whether it follows input values.
  static let follows = ExecutorAbilities(rawValue: 64)
  /// Whether it moves properties by waves.
  static let waves = ExecutorAbilities(rawValue: 128)

  /// The abilities of executors for forces, as a constant.
  static let ofPhysics: ExecutorAbilities = [.yields, .reads]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The abilities of this executor's type.
  init(of executor: any Executor) {
    self = []
    if executor is any NamedExecutor { insert(.takesNames) }
    if executor is any UpdatingExecutor { insert(.updates) }
    if executor is any YieldingExecutor { insert(.yields) }
    if executor is any ReadingExecutor { insert(.reads) }
    if executor is any InputExecutor { insert(.takesInput) }
    if executor is MoveExecutor { insert(.moves) }
    if executor is FollowExecutor { insert(.follows) }
    if executor is WaveExecutor { insert(.waves) }
  }
}

/// The runtime's record of an executor.
final class ExecutorRecord {
  let target: TargetRecord
  let type: ExecutorType
  private(set) var handle: ExecutorHandle
  // The small fields stand together, so that there are no gaps between them: there may be millions of these records.
  let abilities: ExecutorAbilities
  /// Whether it needs updates, and so the next frame.
  var wantsUpdate = false
  /// Whether it is in the runtime's list of executors to update.
  var isListed = false
  /// The activity with which it was counted last.
  var counted = ExecutorActivity()
  /// An executor in this process, other than that for forces; `nil` for one in a worker, which is reached by commands.
  let executor: (any Executor)?
  /// The executor for forces, if it is that. It is called so often that a cast would cost more than the call.
  let physics: PhysicsExecutor?
  /// Fields that only executors in workers have; `nil` in this process.
  private let remote: Remote?

  /// The properties that a token moves.
  struct Token {
    var slots: [PropertyTable.Slot]
    /// The values of these properties when the executor saw them last; empty if the token's samples do not count from
    /// there.
    var bases: [PropertyTable.Slot: Lanes] = [:]
    /// Whether the token names no property: the manipulation then holds every property that it writes.
    var holdsWhatItWrites: Bool
  }

  /// The tokens it holds.
  var tokens: [TokenName: Token] = [:]
  /// Its intentions, in order of addition.
  var intentions = SmallList<IntentionIdentity>()
  /// Since when it has nothing to do, in simulated seconds; `nil` while it has something to do.
  var idleSince: Double?

  private final class Remote {
    let worker: WorkerAddress
    var unacknowledged: UInt64?
    var askedIn: UInt64 = 0
    var answeredIn: UInt64 = 0
    var owesSince: UInt64 = 0
    var silentSince: Double?
    var written: Set<PropertyTable.Slot> = []

    init(_ worker: WorkerAddress) { self.worker = worker }
  }

  init(
    type: ExecutorType, on target: TargetRecord, handle: ExecutorHandle, physics: PhysicsExecutor? = nil,
    executor: (any Executor)? = nil, abilities: ExecutorAbilities, worker: WorkerAddress? = nil
  ) {
    self.type = type
    self.target = target
    self.handle = handle
    self.executor = executor
    self.abilities = abilities
    remote = worker.map(Remote.init)
    self.physics = physics
  }

  var key: ExecutorKey { ExecutorKey(target.name, type) }

  /// Renumbers a staged record whose numbers have been given to others meanwhile.
  func number(_ handle: ExecutorHandle, sequence: UInt64) {
    self.handle = handle
    for index in intentions.indices { intentions[index].sequence = sequence }
    physics?.number(handle, sequence: sequence)
  }

  /// The worker that runs it; `nil` in this process.
  var worker: WorkerAddress? { remote?.worker }

  /// The number of the last command that its worker has to acknowledge; `nil` when no acknowledgement is outstanding.
  var unacknowledged: UInt64? {
    get { remote?.unacknowledged }
    set { remote?.unacknowledged = newValue }
  }

  /// The frame in which its worker was sent a command to acknowledge while no other acknowledgement was outstanding.
  /// The worker cannot answer in that frame; it answers in the next one if no message is lost.
  var askedIn: UInt64 {
    get { remote?.askedIn ?? 0 }
    set { remote?.askedIn = newValue }
  }

  /// The frame in which its worker acknowledged the last command.
  var answeredIn: UInt64 {
    get { remote?.answeredIn ?? 0 }
    set { remote?.answeredIn = newValue }
  }

  /// For an executor that needs updates: the frame after which it owes a sample for every frame. That is the frame of
  /// the command after which it needs updates, or of its own request for updates if it received no command.
  var owesSince: UInt64 {
    get { remote?.owesSince ?? 0 }
    set { remote?.owesSince = newValue }
  }

  /// The simulated time since which a sample of it is overdue: since it was sent a command, or since its worker was
  /// lost.
  var silentSince: Double? {
    get { remote?.silentSince }
    set { remote?.silentSince = newValue }
  }

  /// The properties that its plans write, or wrote. Kept for an executor in a worker, whose samples may arrive later.
  var written: Set<PropertyTable.Slot> {
    get { remote?.written ?? [] }
    set { remote?.written = newValue }
  }

  // The executor as the other protocols that it implements. Each access is a cast, which only executors with the
  // ability pay for.
  var named: (any NamedExecutor)? { abilities.contains(.takesNames) ? executor as? any NamedExecutor : nil }
  var updating: (any UpdatingExecutor)? { abilities.contains(.updates) ? executor as? any UpdatingExecutor : nil }
  var yielding: (any YieldingExecutor)? { abilities.contains(.yields) ? executor as? any YieldingExecutor : nil }
  var reading: (any ReadingExecutor)? { abilities.contains(.reads) ? executor as? any ReadingExecutor : nil }
  var moves: MoveExecutor? { abilities.contains(.moves) ? executor as? MoveExecutor : nil }
  var follows: FollowExecutor? { abilities.contains(.follows) ? executor as? FollowExecutor : nil }
  var waves: WaveExecutor? { abilities.contains(.waves) ? executor as? WaveExecutor : nil }
  var input: (any InputExecutor)? { abilities.contains(.takesInput) ? executor as? any InputExecutor : nil }

  /// Whether it was at rest when it was sent a command, and its worker's update in this frame is the first answer and
  /// could have come earlier.
  func isAnsweringLate(in frame: UInt64) -> Bool { !wantsUpdate && unacknowledged != nil && frame > askedIn + 1 }

  /// Whether its worker's update in this frame answers a command.
  func isAnswering(in frame: UInt64) -> Bool { unacknowledged != nil || answeredIn == frame }

  /// Whether it needs updates and its worker was sent a tick for this frame.
  func owesSample(for frame: UInt64) -> Bool { wantsUpdate && frame > owesSince }

  var isActive: Bool { wantsUpdate || !tokens.isEmpty || unacknowledged != nil }
  var isEmpty: Bool { intentions.isEmpty && tokens.isEmpty }
  /// The value of a property from which the samples of its manipulation count.
  func base(of slot: PropertyTable.Slot) -> Lanes? { tokens.values.lazy.compactMap { $0.bases[slot] }.first }
  /// Forgets the value from which the samples of its manipulation count.
  func forgetBase(of slot: PropertyTable.Slot) {
    guard !tokens.isEmpty else { return }
    for name in tokens.keys { tokens[name]?.bases[slot] = nil }
  }
  /// Whether a token is active that names no property.
  var holdsWhatItWrites: Bool { tokens.values.contains(where: \.holdsWhatItWrites) }
}

/// The runtime's record of a target.
///
/// An object, so that one look-up by name serves an operation and all that follows from it.
final class TargetRecord: Named {
  let name: TargetName
  /// Its place in the order in which targets were first mentioned.
  private(set) var ordinal: UInt64
  var slots = SmallList<PropertyTable.Slot>()
  var executors = SmallList<ExecutorHandle>()
  var names: [IntentionName: IntentionIdentity] = [:]
  /// How many intentions it has.
  var intentions = 0
  /// Its state in the reports for checkpoints: whether it has been reported, and whether it is still to be reported.
  var marks = CheckpointMarks()
  /// Whether several of its plans may have one name, because a later one waits for its time to replace the others.
  var hasNamesakes = false

  init(_ name: TargetName, ordinal: UInt64) {
    self.name = name
    self.ordinal = ordinal
  }

  /// Renumbers a staged target with its one executor, if their numbers have been given to others meanwhile.
  func number(_ ordinal: UInt64, executor: ExecutorHandle, sequence: UInt64) {
    self.ordinal = ordinal
    executors = [executor]
    for name in names.keys { names[name]?.sequence = sequence }
  }
}
