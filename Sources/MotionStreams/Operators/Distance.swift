extension MotionObservable where Value: MotionValue {
  /// The distance of each value from a place: the absolute difference of numbers, the Euclidean distance of points.
  ///
  ///     values             1-4-9
  ///     distance(from: 5)  4-1-4
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func distance(from place: Value) -> MotionObservable<Double> { distance(.constant(place)) }

  /// The distance of each value from the last value of the stream; emitted when either emits, once both have.
  ///
  ///     values    1---4
  ///     place     --5--
  ///     distance  --4-1
  ///
  /// State channel: upstream's. Memory: the last value of both, per subscription.
  @inlinable public func distance(from place: MotionObservable<Value>) -> MotionObservable<Double> {
    distance(.stream(place))
  }

  @inlinable func distance(_ place: Reactive<Value>) -> MotionObservable<Double> {
    _map(metadata.with("distance(from:)", args: [place.argument]), with: place) { $0.distance(from: $1) }
  }
}
