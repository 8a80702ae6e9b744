/// Receives the values and the states of a stream of motion.
@frozen public struct MotionObserver<Value>: Observer {
  /// Receives a value.
  public let next: (Value) -> Void
  /// Receives a state.
  public let state: (MotionState) -> Void

  /// Creates an observer of values, and of states if needed.
  @inlinable public init(next: @escaping (Value) -> Void, state: @escaping (MotionState) -> Void = { _ in }) {
    self.next = next
    self.state = state
  }
}
