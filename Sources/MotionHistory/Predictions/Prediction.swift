public import MotionCore
public import MotionModel

/// What a transaction would do, from the present state of a runtime, compared with what would happen without it.
///
/// It is computed in this process; the runtime is not touched. Plans that the registry can fulfil move as they would in
/// production: those of motiond's process to the bit, those of workers once a hand-over under way has faded. Others are
/// held. Nothing is known of what clients will do meanwhile.
///
///     guard case .snapshot(let header) = try client.query(.snapshot) else { return }
///     let prediction = try Prediction(of: transaction, after: header, by: registry)
public struct Prediction: Sendable {
  /// The frame before the first that it computes.
  public let start: Frame
  /// The receipt that the transaction would get.
  public let receipt: Receipt
  /// The properties that move otherwise than without the transaction, in the order of their names.
  public let courses: [PredictedCourse]
  /// The plans that end otherwise: displaced by the transaction, failed, or completed.
  public let ended: [EndedIntention]
  /// The plans that the transaction would remove, by their names, by other plans of these names, or with their targets.
  public let removed: [IntentionRow]
  /// The properties that it would forget.
  public let forgotten: [PropertyReference]
  /// The plans of hands that are down: the prediction lets them go.
  public let letGo: [IntentionRow]
  /// The plans that are held, because their executors do not run here.
  public let held: [IntentionRow]
  /// Whether everything is at rest at the end.
  public let isAtRest: Bool
  /// How many frames it computed.
  public let frames: Int

  /// Computes what would follow.
  ///
  /// - Parameters:
  ///   - at: when the transaction would take effect; `nil` for the next frame.
  ///   - header: the present state, as the answer to ``/MotionModel/Query/snapshot``.
  ///   - registry: the executors of this process, and the plugins of the header.
  ///   - scenes: the scenes that it recalls, with their content.
  ///   - present: the present simulated time, if no frame was run for a while; `nil` for that of the state.
  ///   - horizon: for how many simulated seconds at most.
  /// - Throws: ``/MotionModel/Refusal`` when the transaction would be refused, or the state cannot be read.
  public init(
    of transaction: Transaction, at time: Double? = nil, after header: RecordingHeader, by registry: ExecutorRegistry,
    knowing scenes: [SceneRow] = [], present now: Double? = nil, horizon: Double = 10
  ) throws(Refusal) {
    let present = try Self.runtime(header)
    start = present.frame
    func fork(keeping kinds: EventLog.Contents) -> Fork {
      let fork = Fork(at: present, by: registry)
      fork.runtime.log.keeps = kinds
      return fork
    }
    func commit(_ fork: Fork) throws(Refusal) -> Receipt {
      for row in scenes { if let scene = row.content { fork.runtime.scenes.set(row.scene, scene) } }
      return try fork.runtime.commit(transaction, at: time)
    }
    /// After rest, the first frame has the present time.
    func run(_ fork: Fork, _ number: Int) {
      let (frame, dt) = (fork.runtime.frame, 1 / present.ratePerSecond)
      let next = frame.time + dt
      fork.runtime.run(Frame(number: frame.number + 1, time: number == 0 ? max(next, now ?? next) : next, dt: dt))
    }
    var differences: Differences
    var (otherwise, ended): (Set<EndedIntention>, [EndedIntention]) = ([], [])
    var (removed, forgotten): (Set<IntentionIdentity>, [PropertyReference]) = ([], [])
    var count = 0
    do {
      let (without, with) = (fork(keeping: [.endings, .plans]), fork(keeping: [.endings, .plans]))
      differences = Differences(lastShared: with.runtime.lastHandle)
      receipt = try commit(with)
      // The receipt's own effects come with the first frame.
      while with.runtime.wantsFrames || with.runtime.nextDueTime != nil || count == 0,
        Double(count) < horizon * present.ratePerSecond
      {
        for fork in [without, with] { run(fork, count) }
        count += 1
        differences.look(at: with.runtime, beside: without.runtime)
        for record in without.runtime.log.take() {
          otherwise.formUnion(record.ended)
          removed.subtract(record.removed)
        }
        for record in with.runtime.log.take() {
          ended += record.ended
          removed.formUnion(record.removed)
        }
        let gone = Set(without.runtime.forgotten.map(\.reference))
        forgotten += with.runtime.forgotten.map(\.reference).filter { !gone.contains($0) }
      }
      isAtRest = !with.runtime.wantsFrames
      (held, letGo) = (with.held, with.letGo)
    }
    frames = count
    self.ended = ended.filter { !otherwise.contains($0) }
    self.removed = Self.rows(of: present).filter { removed.contains($0.identity) }
    self.forgotten = forgotten
    // Once more, now that it is known what differs: few properties as a rule, of very many.
    var courses = Courses(of: differences.references, from: present)
    if !differences.references.isEmpty {
      let again = fork(keeping: .limits)
      _ = try commit(again)
      for number in 0..<count {
        run(again, number)
        courses.take(again.runtime)
      }
      courses.end(again.runtime)
    }
    self.courses = courses.all
  }

  private static func rows(of runtime: Runtime) -> [IntentionRow] {
    if case .intentions(let rows)? = try? runtime.answer(.intentions(nil)) { rows } else { [] }
  }

  private static func runtime(_ header: RecordingHeader) throws(Refusal) -> Runtime {
    guard let snapshot = header.snapshot else {
      throw Refusal(.value, "there is no state to begin from", remedy: "Query a snapshot")
    }
    var registry = ExecutorRegistry()
    for plugin in header.plugins { try registry.register(plugin) }
    guard Limits.rate.contains(header.ratePerSecond) else {
      throw Refusal(.value, "the rate is \(header.ratePerSecond) frames per second", remedy: "Query a snapshot again")
    }
    let runtime = Runtime(registry: registry, ratePerSecond: header.ratePerSecond)
    try runtime.restore(snapshot)
    return runtime
  }

  /// The properties that are elsewhere than without the transaction, in some frame.
  private struct Differences {
    private(set) var references: Set<PropertyReference> = []
    /// Those of them that both runtimes have in the same slot, by slot.
    private var isKnown: [Bool] = []
    /// Up to this handle, both runtimes had the same properties at the beginning.
    private let lastShared: UInt32

    init(lastShared: UInt32) { self.lastShared = lastShared }

    /// Compares what changed in a frame of either: by slot where both have the same property, and by name elsewhere.
    mutating func look(at runtime: Runtime, beside other: Runtime) {
      let (columns, others) = (runtime.columns, other.columns)
      if isKnown.count < columns.rows.count {
        isKnown += repeatElement(false, count: columns.rows.count - isKnown.count)
      }
      for slot in runtime.changedSlots.lazy.map({ Int($0) }) where columns.rows[slot].isOccupied {
        if isShared(slot, columns, others) {
          compare(slot, columns, others, runtime)
        } else if case let reference = runtime.reference(at: UInt32(slot)),
          other.state(of: reference) != columns.state(slot)
        {
          references.insert(reference)
        }
      }
      // What moves without the transaction only differs, too.
      for slot in other.changedSlots.lazy.map({ Int($0) }) where others.rows[slot].isOccupied {
        if isShared(slot, columns, others) {
          compare(slot, columns, others, runtime)
        } else if case let reference = other.reference(at: UInt32(slot)), let state = runtime.state(of: reference),
          state != others.state(slot)
        {
          references.insert(reference)
        }
      }
    }

    /// Whether the property in a slot has been in that slot of both runtimes from the beginning.
    private func isShared(_ slot: Int, _ columns: PropertyColumns, _ others: PropertyColumns) -> Bool {
      guard slot < columns.rows.count, slot < others.rows.count, case let handle = columns.rows[slot].handle else {
        return false
      }
      return handle == others.rows[slot].handle && handle > 0 && handle <= lastShared
    }

    private mutating func compare(
      _ slot: Int, _ columns: PropertyColumns, _ others: PropertyColumns, _ runtime: Runtime
    ) {
      guard !isKnown[slot] else { return }
      let (row, other) = (columns.rows[slot], others.rows[slot])
      for lane in 0..<row.lanes
      where columns.values[row.first + lane] != others.values[other.first + lane]
        || columns.velocities[row.first + lane] != others.velocities[other.first + lane]
      {
        isKnown[slot] = true
        references.insert(runtime.reference(at: UInt32(slot)))
        return
      }
    }
  }

  /// The courses of some properties. Names are looked up once for each property, and not in each frame.
  private struct Courses {
    private let present: Runtime
    private let references: [PropertyReference]
    private let places: [PropertyReference: Int]
    private var courses: [PredictedCourse?]
    /// Which property has which course, by its slot; those of no interest have none.
    private var slots: [(handle: UInt32, place: Int?)] = []

    init(of references: Set<PropertyReference>, from present: Runtime) {
      (self.references, self.present) = (references.sorted(), present)
      places = Dictionary(uniqueKeysWithValues: self.references.enumerated().map { ($1, $0) })
      courses = Array(repeating: nil, count: references.count)
    }

    /// In the order of the names.
    var all: [PredictedCourse] { courses.compactMap(\.self) }

    /// Takes the state after a frame.
    mutating func take(_ runtime: Runtime) {
      let columns = runtime.columns
      for slot in runtime.changedSlots.lazy.map({ Int($0) }) where columns.rows[slot].isOccupied {
        guard let place = place(of: slot, in: runtime, columns.rows[slot]) else { continue }
        courses[place]?.take(columns.state(slot), after: runtime.frame)
      }
      for record in runtime.log.take() {
        for case .limitEntered(let change) in record.changes.map(\.change) {
          guard let place = places[change.reference], courses[place]?.held == nil else { continue }
          courses[place]?.held = (record.frame, change)
        }
      }
    }

    /// What has not changed in any frame stands, and would have moved without the transaction.
    mutating func end(_ runtime: Runtime) {
      for (place, reference) in references.enumerated() where courses[place] == nil {
        courses[place] = runtime.state(of: reference).map { PredictedCourse(reference, from: $0) }
      }
    }

    /// The place of the course of the property in a slot, which begins here if it has none.
    private mutating func place(of slot: Int, in runtime: Runtime, _ row: PropertyColumns.Row) -> Int? {
      if slot < slots.count, slots[slot].handle == row.handle { return slots[slot].place }
      while slots.count <= slot { slots.append((0, nil)) }
      let place = places[runtime.reference(at: UInt32(slot))]
      slots[slot] = (row.handle, place)
      guard let place, courses[place] == nil, case let reference = references[place] else { return place }
      let lane = KnownProperty.named(reference.property).initialLane
      let initial = PropertyState(Lanes(SIMD4(repeating: lane), count: row.lanes))
      courses[place] = PredictedCourse(reference, from: present.state(of: reference) ?? initial)
      return place
    }
  }
}

extension PropertyColumns {
  fileprivate func state(_ row: Int) -> PropertyState {
    let lanes = rows[row].lanes
    return PropertyState(Lanes(value(row), count: lanes), velocity: Lanes(velocity(row), count: lanes))
  }
}

extension FrameRecord {
  /// The plans that were removed in it.
  fileprivate var removed: [IntentionIdentity] {
    changes.compactMap { if case .removed(let identity, _, _) = $0.change { identity } else { nil } }
  }
}
