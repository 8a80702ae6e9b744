extension MotionObservable {
  /// The velocity of each moving value, per second.
  ///
  ///     moving    1 at 9-2 at 8
  ///     velocity  9------8
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func velocity<Part>() -> MotionObservable<Part> where Value == Moving<Part> {
    _map(metadata.with("velocity()")) { $0.velocity }
  }
}
