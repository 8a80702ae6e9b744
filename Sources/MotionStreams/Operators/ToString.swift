extension MotionObservable {
  /// Each value as text.
  ///
  /// State channel: passed on. Memory: none.
  public func toString(format: @escaping (Value) -> String = { "\($0)" }) -> MotionObservable<String> {
    _map(metadata.with("toString()")) { format($0) }
  }
}
