public import MotionCore
public import MotionModel

/// An executor that only records every call, in the order of all executors that share its log.
///
/// For tests of components that call executors, such as a runtime or a worker. Its answers can be set in the log.
///
///     let log = RecordingExecutor.Log()
///     let declaration = RecordingExecutor.declaration("Recorder", descriptions, log)
///     …
///     #expect(log.calls(on: "ball") == [.added(identity, named: nil), .updated(frame)])
public final class RecordingExecutor: NamedExecutor, UpdatingExecutor, YieldingExecutor, ReadingExecutor,
  InputExecutor
{
  /// A call to an executor.
  public enum Call: Hashable, Sendable {
    /// The executor was created.
    case made
    /// A plan was added.
    case added(IntentionIdentity, named: IntentionName?)
    /// A plan was removed.
    case removed(IntentionIdentity)
    /// The plan of a name was removed.
    case removedNamed(IntentionName)
    /// The executor was updated in a frame.
    case updated(Frame)
    /// Another writer took a property.
    case displaced(PropertyName)
    /// A property was given back.
    case resumed(PropertyName, PropertyState, time: Double)
    /// A property that it reads changed.
    case noticed(PropertyReference, PropertyState?)
    /// Pointer events were received.
    case received(PointerInput)
    /// The executor was released.
    case released
  }

  /// The calls of all executors that share the log, in order, and the answers to them.
  public final class Log {
    /// Every call, with the executor that received it.
    public private(set) var entries: [(executor: ExecutorKey, call: Call)] = []
    /// The plans as they were given, latest last.
    public private(set) var plans: [PlannedIntention] = []
    /// The executor's reaction to a plan; throws to refuse it. By default it does nothing.
    public var onAdd: (RecordingExecutor, PlannedIntention) throws -> Void = { _, _ in }
    /// The executor's reaction to a frame; returns whether it requests the next. By default it requests none.
    public var onUpdate: (RecordingExecutor, Frame) -> Bool = { _, _ in false }

    /// An empty log.
    public init() {}

    /// The calls to the executors on `target`, in order.
    public func calls(on target: TargetName) -> [Call] {
      entries.filter { $0.executor.target == target }.map(\.call)
    }

    /// Discards the calls up to now.
    public func clear() {
      entries.removeAll()
      plans.removeAll()
    }

    fileprivate func note(_ call: Call, to key: ExecutorKey) { entries.append((key, call)) }
    fileprivate func note(_ planned: PlannedIntention) { plans.append(planned) }
  }

  /// The executor's target and type.
  public let key: ExecutorKey
  /// The executor's context: for ``Log/onAdd`` and ``Log/onUpdate``.
  public let context: ExecutorContext
  private let log: Log

  /// Creates an executor of `type` on `target` that writes into `log`.
  public init(_ type: ExecutorType, target: TargetName, context: ExecutorContext, log: Log) {
    self.key = ExecutorKey(target, type)
    self.context = context
    self.log = log
    log.note(.made, to: key)
  }

  deinit { log.note(.released, to: key) }

  /// Declares executors of `type` that all write into `log`.
  public static func declaration(
    _ type: ExecutorType, _ descriptions: [IntentionDescription], _ log: Log, acceptsNames: Bool = true
  ) -> ExecutorDeclaration {
    ExecutorDeclaration(type: type, descriptions: descriptions, acceptsNames: acceptsNames) { target, context in
      RecordingExecutor(type, target: target, context: context, log: log)
    }
  }

  /// Records the plan, and calls the log's ``Log/onAdd``.
  public func add(_ planned: PlannedIntention) throws { try add(planned, as: nil) }

  /// Records the plan with its name, and calls the log's ``Log/onAdd``.
  public func add(_ planned: PlannedIntention, named name: IntentionName) throws { try add(planned, as: name) }

  /// Records the removal.
  public func remove(_ identity: IntentionIdentity) { log.note(.removed(identity), to: key) }

  /// Records the removal by name.
  public func remove(named name: IntentionName) { log.note(.removedNamed(name), to: key) }

  /// Records the frame, and calls the log's ``Log/onUpdate``.
  public func update(_ frame: Frame) -> Bool {
    log.note(.updated(frame), to: key)
    return log.onUpdate(self, frame)
  }

  /// Records that another writer took the property.
  public func displaced(_ property: PropertyName) { log.note(.displaced(property), to: key) }

  /// Records that the property was given back.
  public func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    log.note(.resumed(property, state, time: time), to: key)
  }

  /// Records that a property that the executor reads changed.
  public func noticed(_ property: PropertyReference, _ state: PropertyState?) {
    log.note(.noticed(property, state), to: key)
  }

  /// Records pointer events.
  public func receive(_ input: PointerInput) { log.note(.received(input), to: key) }

  private func add(_ planned: PlannedIntention, as name: IntentionName?) throws {
    log.note(.added(planned.identity, named: name), to: key)
    log.note(planned)
    try log.onAdd(self, planned)
  }
}
