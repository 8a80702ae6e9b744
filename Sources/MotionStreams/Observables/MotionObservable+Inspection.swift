extension MotionObservable: Inspectable {
  /// The chain of its source and operators.
  public var inspected: String { metadata.debugDescription }
}

extension MotionObservable: StreamArgument {}
