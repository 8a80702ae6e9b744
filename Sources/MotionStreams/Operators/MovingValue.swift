extension MotionObservable {
  /// The value of each moving value.
  ///
  ///     moving  1 at 9-2 at 8
  ///     value   1------2
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func value<Part>() -> MotionObservable<Part> where Value == Moving<Part> {
    _map(metadata.with("value()")) { $0.value }
  }
}
