public import MotionModel

/// The interface of an executor to its host: write and read properties, report, emit. The host creates it.
///
/// Calls take effect in order, within the frame in which they are made. After the executor is removed they do nothing.
public final class ExecutorContext {
  /// The executor's target.
  public let target: TargetName
  /// The executor's short name.
  public let executor: ExecutorHandle
  private weak var host: (any ExecutorHost)?

  /// A context by which the executor `executor` of `target` reaches its host.
  public init(target: TargetName, executor: ExecutorHandle, host: any ExecutorHost) {
    self.target = target
    self.executor = executor
    self.host = host
  }

  /// Writes a property of the target: value, and velocity per second in the same lanes.
  ///
  /// - Parameters:
  ///   - property: one that an intention of the executor writes.
  ///   - state: its value and velocity.
  ///   - imposing: the parts that the intention sets by itself, so that a take-over does not blend them.
  ///   - remaining: the seconds until the movement ends, if known; a take-over blends no longer than that.
  ///   - carry: the seconds in which a take-over blends out the difference in velocity, if sooner than that in value.
  ///
  /// A property that no intention of the executor writes, a value with other lanes, or one that is not finite is
  /// refused: nothing changes, and the refusal is counted and traced.
  public func write(
    _ property: PropertyName, _ state: PropertyState, imposing: Imposed = [], remaining: Double? = nil,
    carry: Double? = nil
  ) {
    host?.write(property, state, imposing: imposing, remaining: remaining, carry: carry, by: executor)
  }

  /// The state of a property of the target; `nil` if there is none or, in a worker, none that its intentions name.
  public func state(of property: PropertyName) -> PropertyState? {
    host?.state(of: PropertyReference(target, property), for: executor)
  }

  /// The state of a property of any target; `nil` if there is none or, in a worker, none to which its intentions refer.
  public func state(of reference: PropertyReference) -> PropertyState? {
    host?.state(of: reference, for: executor)
  }

  /// Reports that remote execution named `name` is about to start: the executor is active until it ends.
  ///
  /// Starting a name that is active changes nothing. Names belong to this executor.
  ///
  /// - Parameters:
  ///   - name: the name under which its end is reported.
  ///   - properties: the properties that a manipulation moves while this runs: it drives them from now until the end.
  ///     Without any, a manipulation drives what it writes from its first write until its last token ends.
  ///   - places: the values of these properties when the executor saw them last, if the values that it is going to
  ///     write count from there, as a pointer's do. The movement between these values and the start of the manipulation
  ///     is added to all its writes.
  public func remoteExecutionWillStart(
    _ name: TokenName, moving properties: [PropertyName] = [], from places: [Lanes] = []
  ) {
    host?.remoteExecutionWillStart(name, moving: properties, from: places, of: executor)
  }

  /// Reports that remote execution named `name` ended; an unknown name is harmless.
  public func remoteExecutionDidEnd(_ name: TokenName) {
    host?.remoteExecutionDidEnd(name, of: executor)
  }

  /// Ends a one-shot plan: it is retired and reported with its outcome.
  public func finish(_ identity: IntentionIdentity, _ outcome: Outcome = .completed) {
    host?.finish(identity, outcome, of: executor)
  }

  /// Fails a plan that cannot be fulfilled: it is retired and reported as failed with this reason.
  public func fail(_ identity: IntentionIdentity, reason: String) {
    host?.fail(identity, reason: reason, of: executor)
  }

  /// Emits a plan on the target on behalf of the plan `parent`, as its `ordinal`-th.
  ///
  /// Emitting the same ordinal again does nothing, so that a restarted executor may simply emit again. Children are
  /// removed with their parent.
  public func emit(
    _ intention: Intention, named name: IntentionName? = nil, from parent: IntentionIdentity, ordinal: UInt32
  ) {
    host?.emit(intention, named: name, parent: parent, ordinal: ordinal, of: executor)
  }

  /// Emits a plan in its typed form; see ``emit(_:named:from:ordinal:)``.
  public func emit(
    _ intention: some IntentionConvertible, named name: IntentionName? = nil, from parent: IntentionIdentity,
    ordinal: UInt32
  ) {
    emit(intention.intention, named: name, from: parent, ordinal: ordinal)
  }
}

/// The host behind an ``ExecutorContext``: a runtime, or a worker on behalf of one.
public protocol ExecutorHost: AnyObject {
  /// See ``ExecutorContext/write(_:_:imposing:remaining:carry:)``.
  func write(
    _ property: PropertyName, _ state: PropertyState, imposing: Imposed, remaining: Double?, carry: Double?,
    by executor: ExecutorHandle)
  /// See ``ExecutorContext/state(of:)-(PropertyReference)``.
  func state(of reference: PropertyReference, for executor: ExecutorHandle) -> PropertyState?
  /// See ``ExecutorContext/remoteExecutionWillStart(_:moving:from:)``.
  func remoteExecutionWillStart(
    _ name: TokenName, moving properties: [PropertyName], from places: [Lanes], of executor: ExecutorHandle)
  /// See ``ExecutorContext/remoteExecutionDidEnd(_:)``.
  func remoteExecutionDidEnd(_ name: TokenName, of executor: ExecutorHandle)
  /// See ``ExecutorContext/finish(_:_:)``.
  func finish(_ identity: IntentionIdentity, _ outcome: Outcome, of executor: ExecutorHandle)
  /// See ``ExecutorContext/fail(_:reason:)``.
  func fail(_ identity: IntentionIdentity, reason: String, of executor: ExecutorHandle)
  /// See ``ExecutorContext/emit(_:named:from:ordinal:)-(Intention,_,_,_)``.
  func emit(
    _ intention: Intention, named name: IntentionName?, parent: IntentionIdentity, ordinal: UInt32,
    of executor: ExecutorHandle)
}
