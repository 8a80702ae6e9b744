public import MotionModel

/// Fulfils intentions of some types for one target.
///
/// An executor is created by a runtime, or by a worker on a runtime's behalf, with its first intention, and is not
/// configurable in any other way. It receives its work by these calls and answers through its ``ExecutorContext``. All
/// calls come from one thread. State that has to outlive it belongs into properties.
public protocol Executor: AnyObject {
  /// Takes a plan over.
  ///
  /// - Throws: any error; the plan is then reported as failed with the error's text, and the executor is as before.
  func add(_ planned: PlannedIntention) throws
  /// Stops fulfilling a plan; the properties stay where they are. An unknown identity is ignored.
  func remove(_ identity: IntentionIdentity)
}

/// An executor that takes intentions under a name: a named intention for any other executor is refused.
public protocol NamedExecutor: Executor {
  /// Takes a plan over under a name. A plan that had the name was removed before.
  func add(_ planned: PlannedIntention, named name: IntentionName) throws
  /// Stops fulfilling the plan of that name.
  func remove(named name: IntentionName)
}

/// An executor whose effects outlast the moment in which its worker gets all plans again, as after a silence of motiond: an
/// output that is not to end in between.
public protocol RenewedExecutor: Executor {
  /// The executor is about to be dropped, and another one of its target will get the same plans.
  func willBeRenewed()
}

/// An executor that does something with each frame.
public protocol UpdatingExecutor: Executor {
  /// Moves on by one frame, and returns whether it has more to do with the next.
  ///
  /// Called only while the executor needs updates: after an intention was added, after
  /// ``YieldingExecutor/resumed(_:from:at:)`` or ``ReadingExecutor/noticed(_:_:)``, and as long as it returns true.
  /// `frame.dt` is the time since its own last update, or since the frame's start.
  func update(_ frame: Frame) -> Bool
}

/// An executor that is notified when another writer takes a property from it, and when it may resume.
public protocol YieldingExecutor: Executor {
  /// Another writer drives `property` now; what this executor writes to it is ignored.
  func displaced(_ property: PropertyName)
  /// This executor drives `property` again: continue from `state` at the simulated time `time`, in seconds.
  func resumed(_ property: PropertyName, from state: PropertyState, at time: Double)
}

/// An executor that receives the states of the properties that its plans read: those of its own target that their
/// descriptions declare as read, and those of any target that the plans refer to.
public protocol ReadingExecutor: Executor {
  /// A property that a plan of this executor reads has changed; `nil` if it was removed with its target.
  ///
  /// Called after the frame that changed it, and once for each such frame. For the state when a plan was added, use
  /// ``ExecutorContext/state(of:)-(PropertyReference)``. The executor gets the next frame, if it is an
  /// ``UpdatingExecutor``.
  func noticed(_ property: PropertyReference, _ state: PropertyState?)
}

/// An executor that receives the pointer input of its target, as long as it has a manipulation there.
public protocol InputExecutor: Executor {
  /// Pointers of a device had events, at simulated times in seconds; they take effect with the frame under way.
  ///
  /// Events may come in any order and be incomplete: a pointer may have gone down before the executor existed, and its
  /// lifting may never be reported. The executor gets the next frame, if it is an ``UpdatingExecutor``.
  func receive(_ input: PointerInput)
}

/// An executor that can describe the streams by which it fulfils its plans: for inspection, and called only for a
/// query.
public protocol StreamingExecutor: Executor {
  /// The streams of a plan that it has, in the order in which they were written to properties; empty for an unknown
  /// plan.
  func streams(of identity: IntentionIdentity) -> [StreamDescription]
}

/// A type by which executors are declared.
public protocol ExecutorDeclaring {
  /// The declaration that a runtime or a worker needs to create them.
  static var declaration: ExecutorDeclaration { get }
}

/// An executor that can be declared by its type alone: the type names the intentions that it fulfils and how it is
/// created.
public protocol DeclaredExecutor: Executor, ExecutorDeclaring {
  /// The name of its type.
  static var type: ExecutorType { get }
  /// The types of intentions that it fulfils.
  static var descriptions: [IntentionDescription] { get }
  /// Creates the executor of its type for a target.
  init(target: TargetName, context: ExecutorContext)
}

extension DeclaredExecutor {
  /// The declaration made from the type's own members.
  public static var declaration: ExecutorDeclaration {
    ExecutorDeclaration(
      type: type, descriptions: descriptions, acceptsNames: Self.self is any NamedExecutor.Type
    ) { Self(target: $0, context: $1) }
  }
}

/// The declaration that a runtime or a worker needs to create executors of a type.
public struct ExecutorDeclaration {
  /// The name of the type.
  public let type: ExecutorType
  /// The types of intentions that it fulfils.
  public let descriptions: [IntentionDescription]
  /// Whether it takes named intentions.
  public let acceptsNames: Bool
  /// Creates one for a target.
  public let make: (TargetName, ExecutorContext) -> any Executor
  /// The intentions into which a composition expands a plan; `nil` for any other executor.
  var parts: ((Intention) throws -> [Intention])?

  /// Declares executors by a type that has its own declaration.
  public init(_ type: (some ExecutorDeclaring).Type) { self = type.declaration }

  /// Declares an executor that needs more than its target and its context to be created.
  public init(
    type: ExecutorType, descriptions: [IntentionDescription], acceptsNames: Bool,
    make: @escaping (TargetName, ExecutorContext) -> any Executor
  ) {
    self.type = type
    self.descriptions = descriptions
    self.acceptsNames = acceptsNames
    self.make = make
  }
}
