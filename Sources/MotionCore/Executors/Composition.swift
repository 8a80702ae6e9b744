public import MotionModel

/// Fulfils a plan by emitting others: a declaration without an executor to write.
///
///     let appear = Composition.declaration(FadeInIntention.self) { [$0.tween] }
///
/// The emitted plans are removed with the plan. A one-shot that names no property to write ends with the last plan that
/// it emitted, or with the first that is displaced or fails. All plans are emitted at once, in order.
///
/// The parts are also computed when the plan is committed. A plan of which a part would be refused, for example because
/// the part's plugin is missing, is refused itself.
public enum Composition {
  /// Declares an executor that replaces a typed intention by others; throw to refuse it.
  public static func declaration<I: BuiltInIntention>(
    _ type: I.Type, into parts: @escaping (I) throws -> [Intention]
  ) -> ExecutorDeclaration {
    declaration(I.description) { try parts(I($0)) }
  }

  /// Declares an executor that replaces an intention of any type by others; throw to refuse it.
  public static func declaration(
    _ description: IntentionDescription, into parts: @escaping (Intention) throws -> [Intention]
  ) -> ExecutorDeclaration {
    var declaration = ExecutorDeclaration(
      type: description.executor, descriptions: [description], acceptsNames: true
    ) { _, context in
      CompositionExecutor(context: context, parts: parts)
    }
    declaration.parts = parts
    return declaration
  }

  /// The compositions of every runtime.
  static var builtIn: [ExecutorDeclaration] {
    [
      declaration(TossableIntention.self) { [$0.spring.intention, $0.drag.intention] },
      declaration(DirectlyManipulableIntention.self) { _ in [.draggable(), .pinchable(), .rotatable()] },
      declaration(FadeInIntention.self) { [$0.tween] },
      declaration(FadeOutIntention.self) { [$0.tween] },
    ]
  }
}

/// Emits the parts of plans. The runtime keeps the children, so the executor keeps no state.
final class CompositionExecutor: NamedExecutor {
  private let context: ExecutorContext
  private let parts: (Intention) throws -> [Intention]

  init(context: ExecutorContext, parts: @escaping (Intention) throws -> [Intention]) {
    self.context = context
    self.parts = parts
  }

  func add(_ planned: PlannedIntention) throws {
    for (ordinal, part) in try parts(planned.intention).enumerated() {
      context.emit(part, from: planned.identity, ordinal: UInt32(ordinal))
    }
  }

  func add(_ planned: PlannedIntention, named name: IntentionName) throws { try add(planned) }

  func remove(_ identity: IntentionIdentity) {}

  func remove(named name: IntentionName) {}
}
