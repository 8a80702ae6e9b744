public import MotionModel

/// The largest discontinuity of a course of which nothing but its velocities is known; a drama's is a ``Judge``'s to find.
///
/// In each frame the value has to have gone as far as its velocity says: the one before the frame, the one after it, or
/// their mean. What is left is a step that no movement explains.
public struct Jump: Sendable {
  /// The largest step of the value beyond what its velocity explains, in units.
  public private(set) var value = 0.0
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
    guard step > value else { return }
    value = step
    place = [before, last, now].map { $0.map { "\($0.value[0]) at \($0.velocity[0])" } ?? "nothing" }
      .joined(separator: ", then ")
  }
}
