/// Whether a source of motion is at work.
public enum MotionState: Int, Hashable, Sendable {
  /// It says nothing by itself until something happens.
  case atRest = 0
  /// It is about to say values.
  case active = 1
}
