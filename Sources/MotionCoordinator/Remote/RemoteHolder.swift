import MotionLink
import ZeroMQ

/// What the coordinator holds for a worker that it does not start: who has the assignment.
struct RemoteHolder {
  /// Decides who gets it.
  var assignment: RemoteAssignment
  /// Whose words count: the key of the present holder; `nil` without CURVE.
  var key: CurveKey?
  /// Where the present or last holder is, for people.
  var place = ""
}
