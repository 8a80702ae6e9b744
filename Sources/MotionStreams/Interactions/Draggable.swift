/// Makes a position follow a drag; beyond a perimeter it follows with increasing resistance.
public final class Draggable: Interaction {
  /// The default limit of the movement beyond the perimeter: the width of a touch target.
  public static let maxLength = 48.0

  /// The position that is dragged.
  public let position: ReactiveProperty<Point>
  /// The drag.
  public let gesture: Gesture<TranslationGestureRecognizer>
  /// The stream that is written to the position. It may be replaced until the interaction is connected.
  public var positionStream: MotionObservable<Point>

  /// Creates an interaction in which `gesture` drags `position`.
  ///
  /// - Parameters:
  ///   - position: the position that is dragged.
  ///   - gesture: the drag.
  ///   - space: the coordinate space of the position.
  ///   - perimeter: the range in which the position follows freely; `nil` has no bounds.
  ///   - maxLength: the most by which the position moves beyond the perimeter, in units; 0 or less stops it at the
  ///     edge. A position that is outside already is held where it is.
  public init(
    _ position: ReactiveProperty<Point>, _ gesture: Gesture<TranslationGestureRecognizer>,
    in space: CoordinateSpace = .surface, perimeter: Rect? = nil, maxLength: Double = Draggable.maxLength
  ) {
    self.position = position
    self.gesture = gesture
    let drag = gestureSource(gesture)
    positionStream =
      perimeter.map { drag.translated(from: position, in: space, within: $0, maxLength: maxLength) }
      ?? drag.translated(from: position, in: space)
  }

  /// Writes the stream to the position.
  public func connect(with runtime: MotionRuntime) { runtime.write(positionStream, to: position) }
}
