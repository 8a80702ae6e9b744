/// A command from the coordinator to a worker. Commands are delivered in order, without gaps.
public enum WorkerCommand: Hashable, Sendable {
  /// Add a plan to an executor, which is created with its first plan.
  case add(ExecutorHandle, ExecutorKey, PlannedIntention)
  /// Stop fulfilling a plan.
  case remove(ExecutorHandle, IntentionIdentity)
  /// Remove an executor with all its plans; its handle is not used again.
  case removeExecutor(ExecutorHandle)
  /// Another writer drives the property now: stop sending values for it.
  case displaced(ExecutorHandle, PropertyName)
  /// Drive the property again, from this state at this simulated time.
  case resumed(ExecutorHandle, PropertyName, PropertyState, time: Double)
  /// The present state of properties that executors read.
  case properties([ReadProperty])
  /// Pointer events on the executor's target, and the present state of the properties that its manipulations move and
  /// that it does not drive now: a hand may be about to take them.
  case input(ExecutorHandle, PointerInput, over: [ReadProperty])
  /// Drain and exit. The end is final if motiond ends, too, and no successor goes on at once.
  case shutdown(isFinal: Bool)
}

/// The present state of a property that an executor reads.
public struct ReadProperty: Hashable, Sendable {
  /// The property.
  public var reference: PropertyReference
  /// Its state; `nil` once its target is forgotten.
  public var state: PropertyState?

  /// Creates a property with its state.
  public init(_ reference: PropertyReference, _ state: PropertyState?) {
    self.reference = reference
    self.state = state
  }
}

/// The state that a worker needs to take over: the same state as if it had received every command.
public struct WorkerSnapshot: Hashable, Sendable {
  /// One executor with its plans.
  public struct Executor: Hashable, Sendable {
    /// Its short name.
    public var handle: ExecutorHandle
    /// Its target and type.
    public var key: ExecutorKey
    /// Its plans, in the order in which they were added.
    public var intentions: [PlannedIntention]
    /// The properties of these that it does not drive now.
    public var displaced: [PropertyName]
    /// The properties it drives now, as they are now.
    public var driven: [PlannedIntention.Start]

    /// Creates an executor with its plans.
    public init(
      handle: ExecutorHandle, key: ExecutorKey, intentions: [PlannedIntention], displaced: [PropertyName],
      driven: [PlannedIntention.Start]
    ) {
      self.handle = handle
      self.key = key
      self.intentions = intentions
      self.displaced = displaced
      self.driven = driven
    }
  }

  /// The last frame that was run.
  public var frame: Frame
  /// The worker's executors, in order of creation.
  public var executors: [Executor]
  /// The properties that these read.
  public var properties: [ReadProperty]

  /// Creates the state of a worker after `frame`.
  public init(frame: Frame, executors: [Executor], properties: [ReadProperty] = []) {
    self.frame = frame
    self.executors = executors
    self.properties = properties
  }
}
