/// Lets a position be dragged; beyond a perimeter it follows ever more reluctantly.
public final class Draggable: Interaction {
  /// How far beyond its perimeter something is drawn at most if nothing else is said: the width of a touch target.
  public static let maxLength = 48.0

  /// What is dragged.
  public let position: ReactiveProperty<Point>
  /// The drag.
  public let gesture: Gesture<TranslationGestureRecognizer>
  /// Where it is dragged. May be replaced until the interaction is connected.
  public var positionStream: MotionObservable<Point>

  /// Lets `gesture` drag `position`.
  ///
  /// - Parameters:
  ///   - position: what is dragged.
  ///   - gesture: the drag.
  ///   - space: where the position lies.
  ///   - perimeter: where it follows freely; `nil` has no bounds.
  ///   - maxLength: how far beyond the perimeter it is drawn at most, in units; 0 or less stops it at the edge. What is out
  ///     already is held where it is.
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
