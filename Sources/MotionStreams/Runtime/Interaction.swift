/// Streams and properties that belong together, as one thing to connect.
public protocol Interaction {
  /// Connects all streams to their properties.
  func connect(with runtime: MotionRuntime)
}
