extension MotionObservable {
  /// This, for every value.
  ///
  ///     values        1-2-3
  ///     rewriteTo(9)  9-9-9
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func rewriteTo<Result>(_ value: Result) -> MotionObservable<Result> {
    _map(metadata.with("rewriteTo(_:)", args: [value])) { _ in value }
  }

  /// What the stream emitted last: for every value, and whenever it emits something once there was a value. Nothing while it
  /// has emitted nothing. `rewrite` treats the streams of its table likewise.
  ///
  ///     values     1---2---3
  ///     stream     --78---9-
  ///     rewriteTo  --788--99
  ///
  /// State channel: upstream's. Memory: the last value of both, of the subscription.
  @inlinable public func rewriteTo<Result>(_ stream: MotionObservable<Result>) -> MotionObservable<Result> {
    _reactiveMap(metadata.with("rewriteTo(_:)", args: [stream]), inputs: .stream(stream)) { $1 }
  }
}
