extension MotionObservable {
  /// The value of what moves.
  ///
  ///     moving  1 at 9-2 at 8
  ///     value   1------2
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func value<Part>() -> MotionObservable<Part> where Value == Moving<Part> {
    _map(metadata.with("value()")) { $0.value }
  }

  /// The velocity of what moves, per second.
  ///
  ///     moving    1 at 9-2 at 8
  ///     velocity  9------8
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func velocity<Part>() -> MotionObservable<Part> where Value == Moving<Part> {
    _map(metadata.with("velocity()")) { $0.velocity }
  }
}
