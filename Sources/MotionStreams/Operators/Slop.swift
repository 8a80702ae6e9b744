/// Whether a value went beyond a slop, or came back.
public enum SlopEvent: Hashable, Sendable {
  /// It left.
  case onExit
  /// It came back.
  case onReturn
}

extension MotionObservable where Value == Double {
  /// When a value goes further from zero than `size`, and when it comes back: silent until it leaves for the first time,
  /// then at each change. At exactly `size` it is within.
  ///
  ///     values         1-5-6-2-9
  ///     slop(size: 4)  --e---r-e
  ///
  /// State channel: passed on. Memory: whether it is out, of the subscription.
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
