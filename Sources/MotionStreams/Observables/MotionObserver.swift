/// Takes the values and the states of a stream of motion.
@frozen public struct MotionObserver<Value>: Observer {
  /// Takes a value.
  public let next: (Value) -> Void
  /// Takes a state.
  public let state: (MotionState) -> Void

  /// An observer of values, and of states if wanted.
  @inlinable public init(next: @escaping (Value) -> Void, state: @escaping (MotionState) -> Void = { _ in }) {
    self.next = next
    self.state = state
  }
}
