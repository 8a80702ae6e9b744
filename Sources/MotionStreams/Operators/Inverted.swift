extension MotionObservable where Value == Bool {
  /// The negation of each flag.
  ///
  ///     values  t-f-t
  ///     result  f-t-f
  ///
  /// State channel: passed on. Memory: none.
  public func inverted() -> MotionObservable<Bool> { _map(metadata.with("inverted()")) { !$0 } }
}

extension MotionObservable where Value == Double {
  /// The remainder of each share: 1 − x.
  ///
  ///     shares    0-1-3
  ///     inverted  1-0-−2
  ///
  /// State channel: passed on. Memory: none.
  public func inverted() -> MotionObservable<Double> { _map(metadata.with("inverted()")) { 1 - $0 } }
}
