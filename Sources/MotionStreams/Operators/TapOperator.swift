extension MotionObservable {
  /// Calls `look` with every value before it is passed on.
  ///
  ///     values  1-2-3
  ///     result  1-2-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func _tap(_ metadata: Metadata? = nil, _ look: @escaping (Value) -> Void) -> MotionObservable<Value>
  {
    _nextOperator(metadata ?? self.metadata.with("_tap")) { next in
      { value in
        look(value)
        next(value)
      }
    }
  }
}
