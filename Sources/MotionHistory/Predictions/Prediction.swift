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
  ///   - present: the present simulated time, if no frame was run for a while; `nil` for that of the state.
  ///   - horizon: for how many simulated seconds at most.
  /// - Throws: ``/MotionModel/Refusal`` when the transaction would be refused, or the state cannot be read.
  public init(
    of transaction: Transaction, at time: Double? = nil, after header: RecordingHeader, by registry: ExecutorRegistry,
    present now: Double? = nil, horizon: Double = 10
  ) throws(Refusal) {
    let present = try Self.runtime(header)
    let (without, with) = (Fork(at: present, by: registry), Fork(at: present, by: registry))
    for fork in [without, with] { fork.runtime.log.keeps = [.endings, .limits, .plans] }
    start = present.frame
    receipt = try with.runtime.commit(transaction, at: time)
    var courses = Courses(from: present)
    var (otherwise, ended): (Set<EndedIntention>, [EndedIntention]) = ([], [])
    var (removed, forgotten): (Set<IntentionIdentity>, [PropertyReference]) = ([], [])
    var count = 0
    // The receipt's own effects come with the first frame.
    while with.runtime.wantsFrames || with.runtime.nextDueTime != nil || count == 0,
      Double(count) < horizon * present.ratePerSecond
    {
      for fork in [without, with] {
        let dt = 1 / present.ratePerSecond
        let next = fork.runtime.frame.time + dt
        // After rest, the first frame has the present time.
        fork.runtime.run(
          Frame(number: fork.runtime.frame.number + 1, time: count == 0 ? max(next, now ?? next) : next, dt: dt))
      }
      count += 1
      courses.take(with.runtime, differingFrom: without.runtime)
      for record in without.runtime.log.take() {
        otherwise.formUnion(record.ended)
        removed.subtract(record.removed)
      }
      for record in with.runtime.log.take() {
        ended += record.ended
        removed.formUnion(record.removed)
        courses.take(record)
      }
      let gone = Set(without.runtime.forgotten.map(\.reference))
      forgotten += with.runtime.forgotten.map(\.reference).filter { !gone.contains($0) }
    }
    frames = count
    isAtRest = !with.runtime.wantsFrames
    self.courses = courses.differing
    self.ended = ended.filter { !otherwise.contains($0) }
    self.removed = Self.rows(of: present).filter { removed.contains($0.identity) }
    self.forgotten = forgotten
    (held, letGo) = (with.held, with.letGo)
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

  /// The courses of all properties that change.
  private struct Courses {
    private let present: Runtime
    private var courses: [PropertyReference: PredictedCourse] = [:]
    private var different: Set<PropertyReference> = []

    init(from present: Runtime) { self.present = present }

    /// Those that differ, in the order of their names.
    var differing: [PredictedCourse] { different.sorted().compactMap { courses[$0] } }

    mutating func take(_ runtime: Runtime, differingFrom other: Runtime) {
      for change in runtime.changes {
        let start = present.state(of: change.reference) ?? PropertyState(Self.initial(change))
        courses[change.reference, default: PredictedCourse(change.reference, from: start)]
          .take(change.state, after: runtime.frame)
        if !different.contains(change.reference), other.state(of: change.reference) != change.state {
          different.insert(change.reference)
        }
      }
      // What moves without the transaction only differs, too.
      for change in other.changes where !different.contains(change.reference) {
        guard let state = runtime.state(of: change.reference), state != change.state else { continue }
        different.insert(change.reference)
        courses[change.reference, default: PredictedCourse(change.reference, from: state)]
          .take(state, after: runtime.frame)
      }
    }

    mutating func take(_ record: FrameRecord) {
      for entry in record.changes {
        guard case .limitEntered(let change) = entry.change, courses[change.reference]?.held == nil else { continue }
        courses[change.reference]?.held = (record.frame, change)
      }
    }

    private static func initial(_ change: Runtime.Change) -> Lanes {
      let lane = KnownProperty.named(change.reference.property).initialLane
      return Lanes(SIMD4(repeating: lane), count: change.state.value.count)
    }
  }
}

extension FrameRecord {
  /// The plans that were removed in it.
  fileprivate var removed: [IntentionIdentity] {
    changes.compactMap { if case .removed(let identity, _, _) = $0.change { identity } else { nil } }
  }
}
