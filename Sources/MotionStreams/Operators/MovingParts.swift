extension MotionObservable {
  /// The value of what moves.
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func value<Part>() -> MotionObservable<Part> where Value == Moving<Part> {
    _map(metadata.with("value()")) { $0.value }
  }

  /// The velocity of what moves, per second.
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func velocity<Part>() -> MotionObservable<Part> where Value == Moving<Part> {
    _map(metadata.with("velocity()")) { $0.velocity }
  }
}
