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
  public mutating func see(_ now: PropertyState, after dt: Double) {
    defer { (before, last) = (last, now) }
    guard let last else { return }
    let way = now.value[0] - last.value[0]
    let (entry, exit) = (last.velocity[0] * dt, now.velocity[0] * dt)
    // The mean velocity of a frame lies between those at its ends. A carried velocity may vanish within two frames.
    let step = max(0, min(entry, exit) - way, way - max(entry, exit))
    guard step > value else { return }
    value = step
    place = [before, last, now].map { $0.map { "\($0.value[0]) at \($0.velocity[0])" } ?? "nothing" }
      .joined(separator: ", then ")
  }
}
