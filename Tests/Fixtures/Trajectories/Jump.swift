public import MotionModel

/// The largest discontinuities of a course.
///
/// In each frame the value has to have gone as far as its velocity says: the one before the frame, the one after it, or
/// their mean. What is left is a step that no movement explains.
public struct Jump: Sendable {
  /// The step of the value beyond what its velocity explains that is still taken for none: a two-hundredth of the way, and
  /// a quarter of the jump that has to be found.
  public static let tolerance = 0.5
  /// The strongest acceleration: a spring of tension 342 at 150 units with friction 30 at 1,500 a second, and what a fade
  /// of 150 ms adds to it; in units/s².
  public static let strongest = 342.0 * 150 + 30 * 1500 + 40_000

  /// The strongest pull of a spring that begins: one of tension 342 at 100 units, in units/s².
  static let strongestPull = 342.0 * 100

  /// The largest step of the value beyond what its velocity explains, in units.
  public private(set) var value = 0.0
  /// The largest change of the velocity in a frame, in units per second.
  public private(set) var velocity = 0.0

  /// Where the largest step of the value was: the states around it, for whoever has to explain it.
  public private(set) var place = ""

  private var last: PropertyState?
  private var before: PropertyState?

  /// Nothing seen yet.
  public init() {}

  /// Takes the state at the end of a frame of `dt` seconds; the first lane counts.
  public mutating func see(_ now: PropertyState, after dt: Double) {
    defer { (before, last) = (last, now) }
    guard let last else { return }
    let way = now.value[0] - last.value[0]
    let (entry, exit) = (last.velocity[0] * dt, now.velocity[0] * dt)
    let step = min(abs(way - entry), abs(way - exit), abs(way - (entry + exit) / 2))
    if step > value {
      value = step
      place = [before, last, now].map { $0.map { "\($0.value[0]) at \($0.velocity[0])" } ?? "nothing" }
        .joined(separator: ", then ")
    }
    velocity = max(velocity, abs(now.velocity[0] - last.velocity[0]))
  }

  /// Takes in the largest of another course.
  public mutating func widen(by other: Jump) {
    if other.value > value { (value, place) = (other.value, other.place) }
    velocity = max(velocity, other.velocity)
  }
}
