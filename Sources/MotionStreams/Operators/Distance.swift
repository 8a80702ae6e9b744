extension MotionObservable where Value: MotionValue {
  /// How far each value is from a place: the absolute difference of numbers, Euclid's distance of points.
  ///
  ///     values             1-4-9
  ///     distance(from: 5)  4-1-4
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func distance(from place: Value) -> MotionObservable<Double> { distance(.constant(place)) }

  /// How far each value is from what the stream said last; when either says something, once both have.
  ///
  ///     values    1---4
  ///     place     --5--
  ///     distance  --4-1
  ///
  /// State channel: upstream's. Memory: the last value of both, of the subscription.
  @inlinable public func distance(from place: MotionObservable<Value>) -> MotionObservable<Double> {
    distance(.stream(place))
  }

  @inlinable func distance(_ place: Reactive<Value>) -> MotionObservable<Double> {
    _map(metadata.with("distance(from:)", args: [place.argument]), with: place) { $0.distance(from: $1) }
  }
}
