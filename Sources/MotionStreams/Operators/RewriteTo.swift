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

  /// What the stream said last, for every value and only then; nothing while it has said nothing.
  ///
  ///     values     1---2---3
  ///     stream     --78---9-
  ///     rewriteTo  ----8---9
  ///
  /// State channel: upstream's. Memory: the last value of both, of the subscription.
  @inlinable public func rewriteTo<Result>(_ stream: MotionObservable<Result>) -> MotionObservable<Result> {
    _reactiveMap(
      metadata.with("rewriteTo(_:)", args: [stream]), inputs: .stream(stream), onlyEmitWithUpstream: true
    ) { $1 }
  }
}
