public import MotionModel

/// The largest discontinuity of a course of which only the velocities are known; a ``Judge`` finds that of a drama.
///
/// In each frame the value has to have moved by its velocity: the one before the frame, the one after it, or their
/// mean. The remainder is a step that no movement explains.
public struct Jump: Sendable {
  /// The largest step of the value beyond what its velocity explains, in units.
  public private(set) var value = 0.0
  /// The place of the value's largest step: the states around it, for an explanation.
  public private(set) var place = ""

  private var last: PropertyState?
  private var before: PropertyState?

  /// No state taken yet.
  public init() {}

  /// Takes the state at the end of a frame of `dt` seconds; the first lane counts.
  ///
  /// - Parameter carries: whether a tween blends out a carried velocity v, at the shortest within two frames. The value is
  ///   then v · t · (1 - t / T)²: in the first frame the velocity changes by 1.25 v, and the way differs by v / 8 from the
  ///   mean of the velocities.
  public mutating func see(_ now: PropertyState, after dt: Double, carries: Bool = false) {
    defer { (before, last) = (last, now) }
    guard let last else { return }
    let way = now.value[0] - last.value[0]
    let (entry, exit) = (last.velocity[0] * dt, now.velocity[0] * dt)
    let turn = carries ? 0.1 * abs(exit - entry) : 0
    let step = max(0, min(abs(way - entry), abs(way - exit), abs(way - (entry + exit) / 2)) - turn)
    guard step > value else { return }
    value = step
    place = [before, last, now].map { $0.map { "\($0.value[0]) at \($0.velocity[0])" } ?? "nothing" }
      .joined(separator: ", then ")
  }

  /// The part of a difference between two states that is left so many seconds after limits were lifted.
  public static func left(of states: (PropertyState, PropertyState), _ elapsed: Double, lane: Int) -> Double {
    let difference = Motion(
      states.0.value[lane] - states.1.value[lane], states.0.velocity[lane] - states.1.velocity[lane])
    return TweenCourse.vanishing(difference, elapsed, of: TweenCourse.fade).value
  }
}
