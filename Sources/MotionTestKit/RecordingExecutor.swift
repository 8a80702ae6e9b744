public import MotionCore
public import MotionModel

/// An executor that does nothing but note every call, in the order of all executors that share its log.
///
/// For tests of whatever calls executors: a runtime, a worker. What it answers can be set in the log.
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
    /// It was made.
    case made
    /// A plan was added.
    case added(IntentionIdentity, named: IntentionName?)
    /// A plan was removed.
    case removed(IntentionIdentity)
    /// The plan of a name was removed.
    case removedNamed(IntentionName)
    /// A frame was run.
    case updated(Frame)
    /// A property was taken.
    case displaced(PropertyName)
    /// A property was given back.
    case resumed(PropertyName, PropertyState, time: Double)
    /// A property that it reads changed.
    case noticed(PropertyReference, PropertyState?)
    /// Pointers did something.
    case received(PointerInput)
    /// It was released.
    case released
  }

  /// The calls of all executors that share it, in order, and how they answer.
  public final class Log {
    /// Every call with the executor that got it.
    public private(set) var entries: [(executor: ExecutorKey, call: Call)] = []
    /// The plans as they were given, latest last.
    public private(set) var plans: [PlannedIntention] = []
    /// What an executor does with a plan; throws to refuse it. Nothing by default.
    public var onAdd: (RecordingExecutor, PlannedIntention) throws -> Void = { _, _ in }
    /// What an executor does in a frame; returns whether it wants the next. It wants none by default.
    public var onUpdate: (RecordingExecutor, Frame) -> Bool = { _, _ in false }

    /// An empty log.
    public init() {}

    /// The calls that the executors on `target` got, in order.
    public func calls(on target: TargetName) -> [Call] {
      entries.filter { $0.executor.target == target }.map(\.call)
    }

    /// Forgets the calls up to now.
    public func clear() {
      entries.removeAll()
      plans.removeAll()
    }

    fileprivate func note(_ call: Call, to key: ExecutorKey) { entries.append((key, call)) }
    fileprivate func note(_ planned: PlannedIntention) { plans.append(planned) }
  }

  /// The executor's target and type.
  public let key: ExecutorKey
  /// What it may do: for ``Log/onAdd`` and ``Log/onUpdate``.
  public let context: ExecutorContext
  private let log: Log

  /// An executor of `type` on `target` that writes into `log`.
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

  /// Notes the plan, and does what the log says.
  public func add(_ planned: PlannedIntention) throws { try add(planned, as: nil) }

  /// Notes the plan with its name, and does what the log says.
  public func add(_ planned: PlannedIntention, named name: IntentionName) throws { try add(planned, as: name) }

  /// Notes the removal.
  public func remove(_ identity: IntentionIdentity) { log.note(.removed(identity), to: key) }

  /// Notes the removal.
  public func remove(named name: IntentionName) { log.note(.removedNamed(name), to: key) }

  /// Notes the frame, and does what the log says.
  public func update(_ frame: Frame) -> Bool {
    log.note(.updated(frame), to: key)
    return log.onUpdate(self, frame)
  }

  /// Notes that the property is gone.
  public func displaced(_ property: PropertyName) { log.note(.displaced(property), to: key) }

  /// Notes that the property is back.
  public func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    log.note(.resumed(property, state, time: time), to: key)
  }

  /// Notes that a property that it reads changed.
  public func noticed(_ property: PropertyReference, _ state: PropertyState?) {
    log.note(.noticed(property, state), to: key)
  }

  /// Notes what pointers did.
  public func receive(_ input: PointerInput) { log.note(.received(input), to: key) }

  private func add(_ planned: PlannedIntention, as name: IntentionName?) throws {
    log.note(.added(planned.identity, named: name), to: key)
    log.note(planned)
    try log.onAdd(self, planned)
  }
}
