/// Streams and properties that belong together, as one thing to connect.
public protocol Interaction {
  /// Connects everything.
  func connect(with runtime: MotionRuntime)
}
