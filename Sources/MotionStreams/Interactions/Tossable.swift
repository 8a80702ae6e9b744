/// Holds a position by a spring that a drag takes over, and gets back with the hand's velocity.
///
/// The velocity is written before the spring starts, which therefore starts with it, from where the drag left the
/// position. In between nothing rests: what was active stays active. In flight a pointer that comes down catches it at
/// once, whatever the recogniser's slop.
public final class Tossable: AttachWithSpring<Point> {
  /// The drag.
  public let gesture: Gesture<TranslationGestureRecognizer>
  /// The velocity that the spring starts with: the hand's when the drag ends. A drag that is cancelled gives none. May be
  /// replaced until the interaction is connected.
  public var initialVelocityStream: MotionObservable<Point>

  /// Lets `gesture` toss what a spring attaches to `destination`.
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

  /// Writes the velocity and then the stream of positions: the order in which they hear of the end of a drag.
  public override func connect(with runtime: MotionRuntime) {
    runtime.write(initialVelocityStream, to: initialVelocity)
    runtime.write(catchable(positionStream), to: position)
  }

  /// The stream, whose movement the gesture is told of: while nobody drags, it is the spring's.
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
