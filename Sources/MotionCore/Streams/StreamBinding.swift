import MotionModel
import MotionStreams

/// A stream that is written to a property.
final class StreamBinding {
  /// How a stream holds its property while it is active.
  enum Hold {
    /// Its values are places of their own.
    case absolute
    /// Its values count from the property's value at the start.
    case relative
  }

  let property: PropertyName
  /// How the stream holds the property; `nil` for one that writes whenever it has a value.
  let hold: Hold?
  private(set) var isActive = false
  private(set) var wasActive = false
  /// Whether another writer drives the property that the stream holds.
  private var isMuted = false
  /// The token that reports to the runtime that the stream is active, unless its frames do.
  let token: TokenName?
  private let stream: MotionObservable<StreamWrite>
  private var subscription: Subscription?

  init(_ stream: MotionObservable<StreamWrite>, to property: PropertyName, token: TokenName?, hold: Hold? = nil) {
    (self.stream, self.property, self.token, self.hold) = (stream, property, token, hold)
  }

  var metadata: Metadata { stream.metadata }
  var isOpen: Bool { subscription != nil }

  func open(_ plan: StreamPlan) {
    let context = plan.context
    subscription = stream.subscribe(
      next: { [unowned self] write in
        guard hold == nil || isActive && !isMuted else { return }
        context.write(
          property, write.state, imposing: write.imposes, remaining: write.remaining, carry: write.carry)
      },
      state: { [unowned self, weak plan] state in
        guard (state == .active) != isActive else { return }
        guard state == .active else {
          end(context)
          plan?.settle()
          return
        }
        if hold != nil, let token, plan?.mayHold(token) != true { return }
        (isActive, wasActive, isMuted) = (true, true, false)
        let place = hold == .relative ? context.state(of: property)?.value : nil
        if let token { context.remoteExecutionWillStart(token, moving: [property], from: place.map { [$0] } ?? []) }
      })
  }

  func close(_ context: ExecutorContext) {
    subscription?.unsubscribe()
    subscription = nil
    if isActive { end(context) }
  }

  /// Gives the property to another writer. A stream that holds it stays active and subscribed to; its values are dropped.
  func displace(_ context: ExecutorContext) {
    if hold == nil { close(context) } else { isMuted = true }
  }

  /// Subscribes to the stream again, so that it continues from the property's present state.
  func reopen(_ plan: StreamPlan) {
    if hold == nil {
      close(plan.context)
    } else {
      // A stream that holds its property keeps its token, by which the property was given back.
      guard isMuted, isActive else { return isMuted = false }
      isMuted = false
      subscription?.unsubscribe()
    }
    open(plan)
  }

  private func end(_ context: ExecutorContext) {
    isActive = false
    if let token { context.remoteExecutionDidEnd(token) }
  }
}
