import MotionModel

@testable import MotionCoordinator
@testable import MotionCore

/// Checks after each turn what a hold promises: time slows down without a jump, then no frame moves anything before the release.
struct HoldCheck {
  private var last: (frame: Frame, speed: Double, isHeld: Bool, stands: Bool)?
  /// The speed, and the last frame when it was new: the next one is still of the speed before.
  private var speed = (value: 1.0, since: UInt64(0))

  /// The violations in the last turn.
  mutating func problems(in coordinator: isolated Coordinator) -> [String] {
    let (clock, before) = (coordinator.clock, last)
    let (frame, isHeld) = (coordinator.runtime.frame, clock.hold != nil)
    last = (frame, clock.speed, isHeld, clock.isHeldStill)
    if speed.value != clock.speed { speed = (clock.speed, frame.number) }
    // A release and another hold in one turn may run frames between them.
    guard let before, before.isHeld, isHeld, before.speed == clock.speed else { return [] }
    // One that covers no time moves nothing: transactions begin in it before a stop.
    if before.stands, frame.number > before.frame.number, frame.dt > 0 || frame.number > before.frame.number + 1 {
      return ["frame \(frame.number) is run although motion is held"]
    }
    // The first frame of a hold may be the first of all, and its predecessor one of another speed.
    if frame.number == before.frame.number + 1, before.frame.number > speed.since,
      frame.dt > clock.speed / clock.ratePerSecond * (1 + 1e-9)
    {
      return ["a hold makes time faster: \(before.frame) to \(frame)"]
    }
    return []
  }
}
