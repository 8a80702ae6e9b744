extension MotionObservable where Value == Double {
  /// Each value of one range, mapped to another in proportion, also beyond both. A range of zero length gives the
  /// other's start.
  ///
  ///     values      0-1-2-4
  ///     0…2 to 1…5  1-3-5-9
  ///
  /// State channel: passed on. Memory: none.
  public func rewriteRange(
    start: Double, end: Double, destinationStart: Double, destinationEnd: Double
  ) -> MotionObservable<Double> {
    let name = "rewriteRange(start:end:destinationStart:destinationEnd:)"
    return _map(metadata.with(name, args: [start, end, destinationStart, destinationEnd])) { value in
      start == end
        ? destinationStart
        : destinationStart + (value - start) / (end - start) * (destinationEnd - destinationStart)
    }
  }
}
