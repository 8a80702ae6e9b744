extension MotionObservable {
  /// The centre of the gesture's pointers in `space`, read when the gesture changes.
  ///
  ///     finger    1-3-u
  ///     centroid  1-3-3
  ///
  /// State channel: passed on. Memory: none.
  public func centroid<Recognizer>(
    in space: CoordinateSpace = .surface
  ) -> MotionObservable<Point> where Value == Gesture<Recognizer> {
    _map(metadata.with("centroid(in:)", args: [space])) { space.place(of: $0.recognizer.centroid) }
  }

  /// The location of the gesture in `space`: another name of ``centroid(in:)``.
  public func location<Recognizer>(
    in space: CoordinateSpace = .surface
  ) -> MotionObservable<Point> where Value == Gesture<Recognizer> {
    _map(metadata.with("location(in:)", args: [space])) { space.place(of: $0.recognizer.centroid) }
  }
}
