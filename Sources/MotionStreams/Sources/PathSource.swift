public import MotionPhysics

/// The movement along a path of straight segments at even speed, or by the timing function of the whole distance.
///
/// The source is active, emits a point each frame, and rests exactly at the end of the path; see
/// ``tweenSource(_:from:_:)``.
///
/// - Throws: ``/MotionPhysics/TweenError`` if the path has less than two points.
public func pathSource(
  along points: [Point], duration: Double, timingFunction: TimingFunction = .linear, _ clock: any FrameClock
) throws(TweenError) -> MotionObservable<Point> {
  var way = 0.0
  var lengths = [0.0]
  for (start, end) in zip(points, points.dropFirst()) {
    way += end.distance(from: start)
    lengths.append(way)
  }
  let share = ReactiveProperty(0.0, named: "share")
  let shares = try tweenSource(
    Tween(values: [0, 1], duration: duration, timingFunctions: [timingFunction]), from: share, clock)
  guard points.count > 1 else { throw TweenError("a path of \(points.count) points", remedy: "give two or more") }
  let path = MeasuredPath(points: points, lengths: lengths)
  return shares._map(Metadata("path(along:duration:)", args: ["\(points.count) points", duration])) {
    path.point(at: $0)
  }
}

/// A path with its length up to each of its points.
private struct MeasuredPath {
  let points: [Point]
  let lengths: [Double]

  /// The point at a share of the distance: exactly the end at 1, and exactly the points between at theirs.
  func point(at share: Double) -> Point {
    guard share != 1 else { return points[points.count - 1] }
    let way = share * (lengths.last ?? 0)
    let index = min(max((lengths.firstIndex { $0 >= way } ?? lengths.count - 1) - 1, 0), points.count - 2)
    let stretch = lengths[index + 1] - lengths[index]
    guard stretch > 0 else { return points[index] }
    guard way != lengths[index + 1] else { return points[index + 1] }
    return points[index] + (points[index + 1] - points[index]) * ((way - lengths[index]) / stretch)
  }
}
