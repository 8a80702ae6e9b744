extension MotionObservable {
  /// The last `size` values, oldest first. Until there are that many, windows are shorter: the first one holds one
  /// value.
  ///
  ///     values                   1----2------3
  ///     _slidingWindow(size: 2)  [1]--[1,2]--[2,3]
  ///
  /// State channel: passed on. Memory: `size` values per subscription; each value costs a copy of them.
  @inlinable public func _slidingWindow(_ metadata: Metadata? = nil, size: Int = 2) -> MotionObservable<[Value]> {
    _nextOperator(metadata ?? self.metadata.with("_slidingWindow(size:)", args: [size])) { next in
      var window: [Value] = []
      return { value in
        if window.count >= Swift.max(size, 1) { window.removeFirst() }
        window.append(value)
        next(window)
      }
    }
  }
}
