/// The event of a value that leaves a slop or returns.
public enum SlopEvent: Hashable, Sendable {
  /// The value left.
  case onExit
  /// The value returned.
  case onReturn
}

extension MotionObservable where Value == Double {
  /// An event when a value goes further from zero than `size`, and when it returns. Nothing is emitted until it leaves
  /// for the first time, then one event at each change. At exactly `size` it is within.
  ///
  ///     values         1-5-6-2-9
  ///     slop(size: 4)  --e---r-e
  ///
  /// State channel: passed on. Memory: whether the value is outside, per subscription.
  public func slop(size: Double) -> MotionObservable<SlopEvent> {
    _nextOperator(metadata.with("slop(size:)", args: [size])) { next in
      var isOut = false
      return { value in
        guard (abs(value) > abs(size)) != isOut else { return }
        isOut.toggle()
        next(isOut ? .onExit : .onReturn)
      }
    }
  }
}
