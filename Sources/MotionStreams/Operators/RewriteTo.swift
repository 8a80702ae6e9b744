extension MotionObservable {
  /// This value, for every value of upstream.
  ///
  ///     values        1-2-3
  ///     rewriteTo(9)  9-9-9
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func rewriteTo<Result>(_ value: Result) -> MotionObservable<Result> {
    _map(metadata.with("rewriteTo(_:)", args: [value])) { _ in value }
  }

  /// The last value of the stream: for every value of upstream, and whenever the stream emits once upstream has.
  /// Nothing is emitted while the stream has not emitted. `rewrite` treats the streams of its table likewise.
  ///
  ///     values     1---2---3
  ///     stream     --78---9-
  ///     rewriteTo  --788--99
  ///
  /// State channel: upstream's. Memory: the last value of both, per subscription.
  @inlinable public func rewriteTo<Result>(_ stream: MotionObservable<Result>) -> MotionObservable<Result> {
    _reactiveMap(metadata.with("rewriteTo(_:)", args: [stream]), inputs: .stream(stream)) { $1 }
  }
}
