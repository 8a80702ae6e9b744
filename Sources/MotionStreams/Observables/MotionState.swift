/// The state of a source of motion: active or at rest.
public enum MotionState: Int, Hashable, Sendable {
  /// The source emits nothing by itself until an event occurs.
  case atRest = 0
  /// The source is about to emit values.
  case active = 1
}
