public import MotionModel

/// A type that declares an executor made of streams: what it fulfils, and how it connects the streams of each plan.
///
///     public enum TweenExecutor: StreamExecutorDeclaring {
///       public static let type: ExecutorType = "Tween"
///       public static let descriptions = [TweenIntention.description]
///       public static func connect(_ plan: StreamPlan) throws { … }
///     }
///     Worker(TweenExecutor.self).run()
public protocol StreamExecutorDeclaring: ExecutorDeclaring {
  /// The name of the executor's type.
  static var type: ExecutorType { get }
  /// The types of intentions that it fulfils.
  static var descriptions: [IntentionDescription] { get }
  /// Connects the streams of a plan; an error that it throws refuses the plan.
  static func connect(_ plan: StreamPlan) throws
}

extension StreamExecutorDeclaring {
  /// The declaration made from the type's own members.
  public static var declaration: ExecutorDeclaration {
    StreamExecutor.declaration(type, descriptions, connect: connect)
  }
}
