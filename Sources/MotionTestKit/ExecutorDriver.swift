public import MotionModel

/// Runs one executor on one target for a test, frame by frame, and returns the executor's reports.
///
/// ``RecordingExecutorHost`` drives an executor directly. Another driver may run it in a runtime, or in a worker
/// process behind a link: ``ExecutorConformance`` then checks the executor's behaviour there.
public protocol ExecutorDriver: AnyObject {
  /// The executor's abilities besides accepting plans.
  var abilities: ExecutorAbilities { get }
  /// The descriptions of the plans that the executor accepts.
  var descriptions: [IntentionDescription] { get }
  /// The simulated time reached, in seconds: the end of the last frame, and the start of the next.
  var time: Double { get }
  /// Whether the executor requests the next frame or holds a token.
  var isActive: Bool { get }
  /// Whether the executor requests the next frame.
  var wantsFrames: Bool { get }
  /// The tokens that the executor holds.
  var tokens: Set<TokenName> { get }

  /// Adds a plan, whose time begins now; rethrows the executor's error.
  func add(_ intention: Intention, named name: IntentionName?) throws -> IntentionIdentity
  /// Removes a plan; the executor is called even for a plan that it does not have.
  func remove(_ identity: IntentionIdentity)
  /// Removes the plan of that name; the executor is called even for a name that it does not have.
  func remove(named name: IntentionName)
  /// Makes another writer take `property`: the executor's one-shots on it are retired.
  func displace(_ property: PropertyName)
  /// Gives `property` back; the executor continues from `state`.
  func resume(_ property: PropertyName, from state: PropertyState)
  /// Runs one frame of `dt` seconds.
  func advance(by dt: Double)
  /// The state of a property; `nil` if it is unknown.
  func state(of property: PropertyName) -> PropertyState?
  /// The executor's reports since the last call, in order.
  func takeReports() -> [ExecutorReport]
}

extension ExecutorDriver {
  /// The same as ``isActive``, for a driver that does not distinguish the two.
  public var wantsFrames: Bool { isActive }
}

/// The abilities of an executor besides accepting plans.
public struct ExecutorAbilities: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// The set of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It accepts named plans (`NamedExecutor`).
  public static let names = ExecutorAbilities(rawValue: 1)
  /// It is updated in each frame (`UpdatingExecutor`).
  public static let updates = ExecutorAbilities(rawValue: 2)
  /// It yields properties and continues when they are given back (`YieldingExecutor`).
  public static let yields = ExecutorAbilities(rawValue: 4)
}

/// A report of an executor, with the simulated time of the frame in which it was made.
public struct ExecutorReport: Hashable, Sendable {
  /// The content of a report.
  public enum Content: Hashable, Sendable {
    /// It wrote a property that it drives.
    case wrote(PropertyName, PropertyState, imposing: Imposed, remaining: Double?, carry: Double?)
    /// It wrote a property that another writer drives: the write was ignored.
    case wroteDisplaced(PropertyName)
    /// It made a write that is not allowed, for this reason: the write was refused.
    case wroteRefused(PropertyName, reason: String)
    /// Remote execution started, moving these properties.
    case started(TokenName, moving: [PropertyName])
    /// Remote execution ended.
    case ended(TokenName)
    /// A plan is over.
    case finished(IntentionIdentity, Outcome)
    /// A plan cannot be fulfilled.
    case failed(IntentionIdentity, reason: String)
    /// A plan emitted another.
    case emitted(Intention, named: IntentionName?, parent: IntentionIdentity, ordinal: UInt32)
  }

  /// The end of the frame in which the report was made; between frames, the time reached.
  public var time: Double
  /// The content.
  public var content: Content

  /// A report at `time`.
  public init(time: Double, _ content: Content) {
    self.time = time
    self.content = content
  }
}
