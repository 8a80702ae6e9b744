extension MotionObservable where Value: MotionValue {
  /// The sum of what both said last, lane by lane; whenever either says something, once both have.
  ///
  /// State channel: the left one's. Memory: the last value of each, of the subscription.
  public static func + (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    left._reactiveMap(left.metadata.with("+(_:)", args: [right]), with: right) { $0 + $1 }
  }

  /// The difference of what both said last; see ``+(_:_:)``.
  public static func - (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    left._reactiveMap(left.metadata.with("-(_:)", args: [right]), with: right) { $0 - $1 }
  }

  /// The product of what both said last, lane by lane; see ``+(_:_:)``.
  public static func * (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    left._reactiveMap(left.metadata.with("*(_:)", args: [right]), with: right) { Value.multiplied($0, $1) }
  }

  /// The quotient of what both said last, lane by lane; see ``+(_:_:)``. By zero it is infinite or no number.
  public static func / (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    left._reactiveMap(left.metadata.with("/(_:)", args: [right]), with: right) { Value.divided($0, $1) }
  }
}
