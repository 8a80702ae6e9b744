/// Reports when a position leaves the neighbourhood of a place, and when it returns, along one axis.
public final class SlopRegion: Interaction {
  /// An axis.
  public enum Axis: Hashable, Sendable {
    /// From left to right.
    case x
    /// From top to bottom.
    case y
  }

  /// The events of leaving and returning. May be replaced until the interaction is connected.
  public var events: MotionObservable<SlopEvent>
  private let onEvent: (SlopEvent) -> Void

  /// Creates an interaction for the neighbourhood of `size` on both sides of `origin`.
  public init(
    position: ReactiveProperty<Point>, axis: Axis, origin: Double, size: Double,
    onEvent: @escaping (SlopEvent) -> Void = { _ in }
  ) {
    let lane = axis == .x ? position.asStream().x() : position.asStream().y()
    events = lane.offset(by: -origin).slop(size: size)
    self.onEvent = onEvent
  }

  /// Connects the events to the callback.
  public func connect(with runtime: MotionRuntime) { runtime.connect(events, onEvent) }
}
