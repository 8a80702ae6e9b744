import MotionModel

/// What a runtime knows of an intention that has been applied and has not ended.
final class IntentionRecord {
  private(set) var identity: IntentionIdentity
  let target: TargetRecord
  private(set) var executor: ExecutorHandle
  // The small ones stand together, so that no gaps are between them: there may be millions of these.
  let kind: IntentionKind
  /// Whether plans of its type may read properties.
  let mayRead: Bool
  /// Its executor has it, waits to get it, or is owed it.
  var state = IntentionRow.State.owed
  /// What whoever keeps checkpoints has heard of it, and is to hear.
  var marks = CheckpointMarks()
  let intention: Intention
  /// The properties it writes.
  let slots: SmallList<PropertyTable.Slot>
  /// Its place in the order of all additions.
  private(set) var order: UInt64
  private var startFrame: UInt64 = 0
  /// No number until its time begins.
  private var startTime = Double.nan
  /// What it shares with the other plans of its transaction.
  private let common: Common?
  /// What few plans have: it takes memory only then.
  private var rare: Rare?

  /// What the plans of one transaction share.
  final class Common {
    /// Of a staged transaction, the beginning of all its plans; `nil` until then, and of all others. To set each one's own
    /// took 4 ms of the frame that applies a hundred thousand, which have not been looked at for a while.
    var start: (frame: UInt64, time: Double)?
    /// Who committed it.
    fileprivate(set) var provenance: StoredProvenance?

    init(_ provenance: StoredProvenance? = nil) { self.provenance = provenance }

    /// Takes over who committed a transaction that was staged before anybody could say.
    func adopt(_ other: Common?) { provenance = other?.provenance }
  }

  private final class Rare {
    var name: IntentionName?
    var starts: [PlannedIntention.Start] = []
    var emitted = OrdinalSet()
    var children: Set<UInt32> = []
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

  /// Numbers anew what was staged under numbers that others have taken meanwhile.
  func number(sequence: UInt64, executor: ExecutorHandle, order: UInt64) {
    identity.sequence = sequence
    (self.executor, self.order) = (executor, order)
  }

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

  /// Who committed it, or its first ancestor.
  var provenance: Provenance? { common?.provenance?.model }

  /// What the plans that it emits share.
  var commonOfChildren: Common? {
    guard let common, common.start != nil else { return common }
    // Their time begins when they are added, not with the plans that were staged with this one.
    return common.provenance.map { Common($0) }
  }

  /// The name that it has on its target.
  var name: IntentionName? { rare?.name }

  /// Where its properties were when its time began; kept for those in workers, which may have to be told again.
  var starts: [PlannedIntention.Start] {
    get { rare?.starts ?? [] }
    set { if rare != nil || !newValue.isEmpty { made.starts = newValue } }
  }

  /// What it emitted so far.
  var emitted: OrdinalSet {
    get { rare?.emitted ?? OrdinalSet() }
    set { made.emitted = newValue }
  }

  /// Which of what it emitted has not ended.
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

/// The ordinals of what a plan emitted, so that emitting again does nothing: small for whoever counts up from 0.
struct OrdinalSet {
  private var countedUp: UInt32 = 0
  private var others: Set<UInt32> = []

  /// All ordinals below this one, and these besides.
  init(below countedUp: UInt32 = 0, and others: [UInt32] = []) {
    (self.countedUp, self.others) = (countedUp, Set(others))
  }

  /// All below this one are in it.
  var below: UInt32 { countedUp }
  /// What else is, in order.
  var beyond: [UInt32] { others.sorted() }

  /// - Returns: whether the ordinal is new.
  mutating func insert(_ ordinal: UInt32) -> Bool {
    // The highest is not counted, because nothing comes after it.
    guard ordinal >= countedUp, ordinal < .max, others.insert(ordinal).inserted else { return false }
    while others.remove(countedUp) != nil { countedUp += 1 }
    return true
  }
}

/// What an executor can do besides fulfilling plans: its type decides, so a cast says it once for all of a type.
struct ExecutorAbilities: OptionSet {
  let rawValue: UInt8
  static let takesNames = ExecutorAbilities(rawValue: 1)
  static let updates = ExecutorAbilities(rawValue: 2)
  static let yields = ExecutorAbilities(rawValue: 4)
  static let reads = ExecutorAbilities(rawValue: 8)
  static let takesInput = ExecutorAbilities(rawValue: 16)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// What executors of this one's type can do.
  init(of executor: any Executor) {
    self = []
    if executor is any NamedExecutor { insert(.takesNames) }
    if executor is any UpdatingExecutor { insert(.updates) }
    if executor is any YieldingExecutor { insert(.yields) }
    if executor is any ReadingExecutor { insert(.reads) }
    if executor is any InputExecutor { insert(.takesInput) }
  }
}

/// What a runtime knows of an executor.
final class ExecutorRecord {
  let target: TargetRecord
  let type: ExecutorType
  private(set) var handle: ExecutorHandle
  // The small ones stand together, so that no gaps are between them: there may be millions of these.
  let abilities: ExecutorAbilities
  /// Whether it wants the next frame.
  var wantsUpdate = false
  /// Whether it stands in the runtime's list of executors to update.
  var isListed = false
  /// As what it was counted last.
  var counted = ExecutorActivity()
  let executor: any Executor
  /// The same, if it is the one for forces: it is asked so often that a cast would cost more than what is asked.
  let physics: PhysicsExecutor?
  /// What only those in workers have; `nil` in this process.
  private let remote: Remote?

  /// What a token moves.
  struct Token {
    var slots: [PropertyTable.Slot]
    /// Where these were when the executor saw them last; empty if its values do not count from there.
    var bases: [PropertyTable.Slot: Lanes] = [:]
    /// Whether it names no property: a hand then holds whatever it writes.
    var holdsWhatItWrites: Bool
  }

  /// The tokens it holds.
  var tokens: [TokenName: Token] = [:]
  /// Its intentions, in order of addition.
  var intentions = SmallList<IntentionIdentity>()
  /// Since when it has nothing to do, in simulated seconds; `nil` while it has.
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
    type: ExecutorType, on target: TargetRecord, handle: ExecutorHandle, executor: any Executor,
    abilities: ExecutorAbilities, worker: WorkerAddress?
  ) {
    self.type = type
    self.target = target
    self.handle = handle
    self.executor = executor
    self.abilities = abilities
    remote = worker.map(Remote.init)
    physics = executor as? PhysicsExecutor
  }

  var key: ExecutorKey { ExecutorKey(target.name, type) }

  /// Numbers anew what was staged under numbers that others have taken meanwhile.
  func number(_ handle: ExecutorHandle, sequence: UInt64) {
    self.handle = handle
    for index in intentions.indices { intentions[index].sequence = sequence }
    physics?.number(handle, sequence: sequence)
  }

  /// The worker it lives in; `nil` in this process.
  var worker: WorkerAddress? { remote?.worker }

  /// The number of the last command that its worker has to acknowledge; `nil` when it owes nothing.
  var unacknowledged: UInt64? {
    get { remote?.unacknowledged }
    set { remote?.unacknowledged = newValue }
  }

  /// The frame in which its worker was told something that it has to acknowledge, and owed nothing before: it cannot answer
  /// that frame, and answers the next if nothing is lost.
  var askedIn: UInt64 {
    get { remote?.askedIn ?? 0 }
    set { remote?.askedIn = newValue }
  }

  /// The frame in which its worker acknowledged what it was told last.
  var answeredIn: UInt64 {
    get { remote?.answeredIn ?? 0 }
    set { remote?.answeredIn = newValue }
  }

  /// For one that wants frames: the frame in which it was told what made it want them, of all later ones of which it owes words;
  /// for one that was told nothing, the frame in which it asked for updates by itself.
  var owesSince: UInt64 {
    get { remote?.owesSince ?? 0 }
    set { remote?.owesSince = newValue }
  }

  /// The simulated time since which a word of it is due and none was heard: since it was told something, or its worker was lost.
  var silentSince: Double? {
    get { remote?.silentSince }
    set { remote?.silentSince = newValue }
  }

  /// The properties that plans of it write, or wrote: for an executor in a worker, whose words may come later.
  var written: Set<PropertyTable.Slot> {
    get { remote?.written ?? [] }
    set { remote?.written = newValue }
  }

  // What else the executor can do; a cast each time, which only those pay that can.
  var named: (any NamedExecutor)? { abilities.contains(.takesNames) ? executor as? any NamedExecutor : nil }
  var updating: (any UpdatingExecutor)? { abilities.contains(.updates) ? executor as? any UpdatingExecutor : nil }
  var yielding: (any YieldingExecutor)? { abilities.contains(.yields) ? executor as? any YieldingExecutor : nil }
  var reading: (any ReadingExecutor)? { abilities.contains(.reads) ? executor as? any ReadingExecutor : nil }
  var input: (any InputExecutor)? { abilities.contains(.takesInput) ? executor as? any InputExecutor : nil }

  /// Whether it stood when it was told something, and what its worker says in this frame is the first answer and could have come
  /// earlier.
  func isAnsweringLate(in frame: UInt64) -> Bool { !wantsUpdate && unacknowledged != nil && frame > askedIn + 1 }

  /// Whether what its worker says in this frame answers what it was told.
  func isAnswering(in frame: UInt64) -> Bool { unacknowledged != nil || answeredIn == frame }

  /// Whether it wants frames and had been sent a tick for this one.
  func owesSample(for frame: UInt64) -> Bool { wantsUpdate && frame > owesSince }

  var isActive: Bool { wantsUpdate || !tokens.isEmpty || unacknowledged != nil }
  var isEmpty: Bool { intentions.isEmpty && tokens.isEmpty }
  /// Where the values of its hand on a property count from.
  func base(of slot: PropertyTable.Slot) -> Lanes? { tokens.values.lazy.compactMap { $0.bases[slot] }.first }
  /// Whether a token runs that names no property.
  var holdsWhatItWrites: Bool { tokens.values.contains(where: \.holdsWhatItWrites) }
}

/// What a runtime knows of a target.
///
/// An object, so that one look-up by name serves an operation and all that follows from it.
final class TargetRecord: Named {
  let name: TargetName
  /// Its place in the order of first mention.
  private(set) var ordinal: UInt64
  var slots = SmallList<PropertyTable.Slot>()
  var executors = SmallList<ExecutorHandle>()
  var names: [IntentionName: IntentionIdentity] = [:]
  /// How many intentions it has.
  var intentions = 0
  /// What whoever keeps checkpoints has heard of it, and is to hear.
  var marks = CheckpointMarks()

  init(_ name: TargetName, ordinal: UInt64) {
    self.name = name
    self.ordinal = ordinal
  }

  /// Numbers anew what was staged, with its one executor, under numbers that others have taken meanwhile.
  func number(_ ordinal: UInt64, executor: ExecutorHandle, sequence: UInt64) {
    self.ordinal = ordinal
    executors = [executor]
    for name in names.keys { names[name]?.sequence = sequence }
  }
}

/// What an executor needs of the runtime: to be active, and beyond that frames.
struct ExecutorActivity: Hashable {
  /// Whether its last update returned true, it holds a token, or its worker has not acknowledged a command, or is not there.
  var isActive = false
  /// Whether it wants updates, or its worker, which is provisioned, has not acknowledged a command.
  var wantsFrames = false
}

/// How many executors are active, and how many of them want frames.
struct ActivityCount: Hashable {
  private(set) var active = 0
  private(set) var wantingFrames = 0

  /// Counts an executor that was `old` as `new`.
  mutating func change(from old: ExecutorActivity, to new: ExecutorActivity) {
    active += (new.isActive ? 1 : 0) - (old.isActive ? 1 : 0)
    wantingFrames += (new.wantsFrames ? 1 : 0) - (old.wantsFrames ? 1 : 0)
  }
}

/// What a runtime knows of a worker.
struct WorkerRecord {
  var isProvisioned = false
  /// How many commands were sent since it was first provisioned in this life.
  var commandsSent: UInt64 = 0
  /// The last frame whose values it sent.
  var lastFrame: UInt64 = 0
  /// Its executors.
  var executors: Set<ExecutorHandle> = []
  /// How many of them are active, and how many want frames.
  var activity = ActivityCount()
  /// Those of them that owe an acknowledgement.
  var unacknowledged: Set<ExecutorHandle> = []
  /// Those that answered later than they could, and have not spoken since.
  var overdue: Set<ExecutorHandle> = []
  /// How many of its writes were refused, in all its lives.
  var refusedWrites: UInt64 = 0
  /// What is withheld from it while it is found out on which intention it dies; `nil` when nothing is.
  var bisection: Bisection?

  /// What is withheld from a worker.
  struct Bisection {
    /// When it began, in simulated seconds.
    var since: Double
    /// Those that it was said to withhold.
    var tried: Set<IntentionIdentity>
    /// These, and what has been added since.
    var withheld: Set<IntentionIdentity>
  }
}
