import MotionLink
import ZeroMQ

/// The coordinator's record of a worker that it does not start: the holder of its assignment.
struct RemoteHolder {
  /// Decides who gets it.
  var assignment: RemoteAssignment
  /// The key of the present holder, whose messages count; `nil` without CURVE.
  var key: CurveKey?
  /// The host of the present or last holder, for people.
  var place = ""
}
