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

extension MotionObservable where Value == Gesture<TapGestureRecognizer> {
  /// The place of each tap in `space`, with no velocity: sent with the frame after the tap.
  ///
  ///     finger    1-u--
  ///     frames    f-f-f
  ///     centroid  ----1
  ///
  /// State channel: active from the tap until after its place. Memory: the place, per subscription. The clock is
  /// subscribed to only while a place is owed.
  public func centroid(
    in space: CoordinateSpace = .surface, each clock: any FrameClock
  ) -> MotionObservable<Moving<Point>> {
    _carried(metadata.with("centroid(in:each:)", args: [space, clock]), clock) { tap, _ in
      let place = space.place(of: tap.recognizer.centroid)
      return { _ in Moving(place) }
    }
  }
}
