extension MotionObservable where Value == Bool {
  /// Not each flag.
  ///
  ///     values  t-f-t
  ///     result  f-t-f
  ///
  /// State channel: passed on. Memory: none.
  public func inverted() -> MotionObservable<Bool> { _map(metadata.with("inverted()")) { !$0 } }
}

extension MotionObservable where Value == Double {
  /// What each share leaves of the whole: 1 − x.
  ///
  ///     shares    0-1-3
  ///     inverted  1-0-−2
  ///
  /// State channel: passed on. Memory: none.
  public func inverted() -> MotionObservable<Double> { _map(metadata.with("inverted()")) { 1 - $0 } }
}
