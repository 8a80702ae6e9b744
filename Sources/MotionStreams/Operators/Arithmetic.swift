extension MotionObservable where Value: MotionValue {
  /// The sum of what both said last, lane by lane; whenever either says something, once both have.
  ///
  /// State channel: of both together (`StateUnion`). Memory: the last value of each and which of them are active, of the
  /// subscription.
  public static func + (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    combined(left.metadata.with("+(_:)", args: [right]), left, right) { $0 + $1 }
  }

  /// The difference of what both said last; see ``+(_:_:)``.
  public static func - (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    combined(left.metadata.with("-(_:)", args: [right]), left, right) { $0 - $1 }
  }

  /// The product of what both said last, lane by lane; see ``+(_:_:)``.
  public static func * (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    combined(left.metadata.with("*(_:)", args: [right]), left, right) { Value.multiplied($0, $1) }
  }

  /// The quotient of what both said last, lane by lane; see ``+(_:_:)``. By zero it is infinite or no number.
  public static func / (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    combined(left.metadata.with("/(_:)", args: [right]), left, right) { Value.divided($0, $1) }
  }
}
