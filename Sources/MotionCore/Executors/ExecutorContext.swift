public import MotionModel

/// What an executor may do: write and read properties, report, emit. Made for it by its host.
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
  ///   - imposing: what of these the intention sets by itself, so that taking the property over does not blend it.
  ///   - remaining: the seconds until the movement ends, if known; taking over blends no longer than that.
  ///
  /// A property that no intention of the executor writes, a value with other lanes, or one that is not finite is
  /// refused: nothing changes, and it is counted and traced.
  public func write(
    _ property: PropertyName, _ state: PropertyState, imposing: Imposed = [], remaining: Double? = nil
  ) {
    host?.write(property, state, imposing: imposing, remaining: remaining, by: executor)
  }

  /// Where a property of the target is; `nil` if there is none, or, in a worker, none that its intentions name.
  public func state(of property: PropertyName) -> PropertyState? {
    host?.state(of: PropertyReference(target, property), for: executor)
  }

  /// Where a property of any target is; `nil` if there is none, or, in a worker, none that its intentions refer to.
  public func state(of reference: PropertyReference) -> PropertyState? {
    host?.state(of: reference, for: executor)
  }

  /// Remote execution named `name` is about to start: the executor is active until it ends.
  ///
  /// Starting a name that runs changes nothing. Names belong to this executor.
  ///
  /// - Parameters:
  ///   - name: what it is called when it ends.
  ///   - properties: what a manipulation moves while this runs: it drives them from now until the end. Without any, a
  ///     manipulation drives what it writes from its first write until its last token ends.
  ///   - places: where these were when the executor saw them last, if the values that it is going to write count from
  ///     there, as a hand's do. What it missed of their way until it took hold is added to all it writes.
  public func remoteExecutionWillStart(
    _ name: TokenName, moving properties: [PropertyName] = [], from places: [Lanes] = []
  ) {
    host?.remoteExecutionWillStart(name, moving: properties, from: places, of: executor)
  }

  /// Remote execution named `name` ended; an unknown name is harmless.
  public func remoteExecutionDidEnd(_ name: TokenName) {
    host?.remoteExecutionDidEnd(name, of: executor)
  }

  /// A one-shot plan is over: it is retired and reported with its outcome.
  public func finish(_ identity: IntentionIdentity, _ outcome: Outcome = .completed) {
    host?.finish(identity, outcome, of: executor)
  }

  /// A plan cannot be fulfilled: it is retired and reported as failed with this reason.
  public func fail(_ identity: IntentionIdentity, reason: String) {
    host?.fail(identity, reason: reason, of: executor)
  }

  /// Emits a plan on the target on behalf of the plan `parent`, as its `ordinal`-th.
  ///
  /// Emitting the same ordinal again does nothing, so that an executor that starts anew may simply emit. Children are
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

/// What stands behind an ``ExecutorContext``: a runtime, or a worker that speaks for one.
public protocol ExecutorHost: AnyObject {
  /// See ``ExecutorContext/write(_:_:imposing:remaining:)``.
  func write(
    _ property: PropertyName, _ state: PropertyState, imposing: Imposed, remaining: Double?,
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
