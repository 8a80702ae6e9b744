import MotionModel
import MotionStreams

/// A stream that is written to a property.
final class StreamBinding {
  let property: PropertyName
  let metadata: Metadata
  private(set) var isActive = false
  private(set) var wasActive = false
  /// The token that reports to the runtime that the stream is active, unless its frames do.
  private let token: TokenName?
  private let subscribe: (@escaping (MotionState) -> Void) -> Subscription
  private var subscription: Subscription?

  init(
    property: PropertyName, token: TokenName?, metadata: Metadata,
    subscribe: @escaping (@escaping (MotionState) -> Void) -> Subscription
  ) {
    self.property = property
    self.token = token
    self.metadata = metadata
    self.subscribe = subscribe
  }

  var isOpen: Bool { subscription != nil }

  func open(_ context: ExecutorContext, onRest: @escaping () -> Void) {
    subscription = subscribe { [unowned self] state in
      guard (state == .active) != isActive else { return }
      isActive = state == .active
      if isActive {
        wasActive = true
        if let token { context.remoteExecutionWillStart(token, moving: [property]) }
      } else {
        if let token { context.remoteExecutionDidEnd(token) }
        onRest()
      }
    }
  }

  func close(_ context: ExecutorContext) {
    subscription?.unsubscribe()
    subscription = nil
    guard isActive else { return }
    isActive = false
    if let token { context.remoteExecutionDidEnd(token) }
  }
}
