/// Holds a position by a spring. A drag takes over from the spring, which resumes with the drag's velocity.
///
/// The velocity is written before the spring starts. So the spring starts with it, from where the drag left the
/// position. No rest is reported in between: an active stream stays active. While the position moves freely, a pointer
/// that comes down catches it at once, whatever the recogniser's slop.
public final class Tossable: AttachWithSpring<Point> {
  /// The drag.
  public let gesture: Gesture<TranslationGestureRecognizer>
  /// The velocity that the spring starts with: that of the pointers when the drag ends. A cancelled drag gives none.
  /// May be replaced until the interaction is connected.
  public var initialVelocityStream: MotionObservable<Point>

  /// Creates an interaction in which `gesture` tosses a position that a spring attaches to `destination`.
  public init(
    position: ReactiveProperty<Point>, to destination: ReactiveProperty<Point>, threshold: Double = 1,
    springSource: SpringSource<Point>, gesture: Gesture<TranslationGestureRecognizer>,
    in space: CoordinateSpace = .surface
  ) {
    self.gesture = gesture
    let drag = gestureSource(gesture)
    initialVelocityStream = drag.onRecognitionState(.ended).velocity(in: space)
    super.init(position: position, to: destination, threshold: threshold, springSource: springSource)
    positionStream = positionStream.toggled(with: drag.translated(from: position, in: space))
  }

  /// Writes the velocity and then the stream of positions, so that they receive the end of a drag in this order.
  public override func connect(with runtime: MotionRuntime) {
    runtime.write(initialVelocityStream, to: initialVelocity)
    runtime.write(catchable(positionStream), to: position)
  }

  /// The stream, whose activity sets the recogniser's `catchesAtOnce`: without a drag, it is the spring's.
  private func catchable(_ stream: MotionObservable<Point>) -> MotionObservable<Point> {
    MotionObservable(stream.metadata) { [gesture] observer in
      stream.connect(
        MotionObserver(
          next: observer.next,
          state: { state in
            gesture.recognizer.catchesAtOnce = state == .active
            observer.state(state)
          }))
    }
  }
}
