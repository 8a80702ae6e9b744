extension MotionObservable where Value: Comparable {
  /// The side of this bound on which each value is; for every value, changed or not.
  ///
  ///     values        1-5-9
  ///     threshold(5)  b-w-a
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func threshold(_ bound: Value) -> MotionObservable<ThresholdSide> {
    _map(metadata.with("threshold(_:)", args: [bound])) { Self.side(of: $0, bound, bound) }
  }
}
