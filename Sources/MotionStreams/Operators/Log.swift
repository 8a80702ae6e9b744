extension MotionObservable {
  /// Every value unchanged, and a line of text for each: `prefix value`.
  ///
  /// By default the line goes to standard output; pass a logger's method instead where there is one.
  ///
  ///     values  1-2
  ///     log     1-2
  ///
  /// State channel: passed on. Memory: none.
  public func log(
    _ prefix: String = "", to write: @escaping (String) -> Void = { print($0) }
  ) -> MotionObservable<Value> {
    _tap(metadata.with("log(_:)", args: [prefix])) { value in
      write(prefix.isEmpty ? "\(value)" : "\(prefix) \(value)")
    }
  }
}
