public import MotionModel

/// Runs one executor on one target for a test, frame by frame, and hands out what the executor said.
///
/// ``RecordingExecutorHost`` drives an executor directly. A driver may as well put a runtime, or a worker process behind
/// a link, in between: ``ExecutorConformance`` then checks that the executor behaves there too.
public protocol ExecutorDriver: AnyObject {
  /// What the executor can do besides taking plans.
  var abilities: ExecutorAbilities { get }
  /// The descriptions of the plans that it takes.
  var descriptions: [IntentionDescription] { get }
  /// The simulated time reached, in seconds: the end of the last frame, and the start of the next.
  var time: Double { get }
  /// Whether the executor wants the next frame or holds a token.
  var isActive: Bool { get }
  /// Whether the executor wants the next frame.
  var wantsFrames: Bool { get }
  /// The tokens that it holds.
  var tokens: Set<TokenName> { get }

  /// Adds a plan, whose time begins now; throws what the executor throws.
  func add(_ intention: Intention, named name: IntentionName?) throws -> IntentionIdentity
  /// Removes a plan; the executor is told even of one that it does not have.
  func remove(_ identity: IntentionIdentity)
  /// Removes the plan of that name; the executor is told even of a name that it does not have.
  func remove(named name: IntentionName)
  /// Lets another writer take `property`: the executor's one-shots on it are retired.
  func displace(_ property: PropertyName)
  /// Gives `property` back, to go on from `state`.
  func resume(_ property: PropertyName, from state: PropertyState)
  /// Runs one frame of `dt` seconds.
  func advance(by dt: Double)
  /// Where a property is.
  func state(of property: PropertyName) -> PropertyState?
  /// What the executor said since the last call, in order.
  func takeReports() -> [ExecutorReport]
}

extension ExecutorDriver {
  /// As long as it is active, for a driver that does not tell the two apart.
  public var wantsFrames: Bool { isActive }
}

/// What an executor can do besides taking plans.
public struct ExecutorAbilities: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// The set of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It takes named plans (`NamedExecutor`).
  public static let names = ExecutorAbilities(rawValue: 1)
  /// It moves with frames (`UpdatingExecutor`).
  public static let updates = ExecutorAbilities(rawValue: 2)
  /// It yields properties and takes them back (`YieldingExecutor`).
  public static let yields = ExecutorAbilities(rawValue: 4)
}

/// Something that an executor said, with the simulated time of the frame in which it said it.
public struct ExecutorReport: Hashable, Sendable {
  /// What was said.
  public enum Content: Hashable, Sendable {
    /// It wrote a property that it drives.
    case wrote(PropertyName, PropertyState, imposing: Imposed, remaining: Double?)
    /// It wrote a property that another writer drives: ignored.
    case wroteDisplaced(PropertyName)
    /// It wrote what it may not, for this reason: refused.
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

  /// The end of the frame it was said in; between frames, the time reached.
  public var time: Double
  /// What was said.
  public var content: Content

  /// Something said at `time`.
  public init(time: Double, _ content: Content) {
    self.time = time
    self.content = content
  }
}
