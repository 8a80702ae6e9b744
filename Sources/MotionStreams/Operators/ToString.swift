extension MotionObservable {
  /// Each value as text: formatted by `format`, or as Swift prints it.
  ///
  ///     values    1---2
  ///     toString  1.0-2.0
  ///
  /// State channel: passed on. Memory: none.
  public func toString(format: @escaping (Value) -> String = { "\($0)" }) -> MotionObservable<String> {
    _map(metadata.with("toString(format:)")) { format($0) }
  }
}
