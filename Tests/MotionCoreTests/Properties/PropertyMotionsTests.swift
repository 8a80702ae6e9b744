import MotionModel
import Testing

@testable import MotionCore

/// The motion that is stored for a slot; lateness is tracked whichever way the motion was changed.
struct PropertyMotionsTests {
  private let moving = PropertyState([1, 2], velocity: [3, 4])

  @Test func `a property is late from the coasting of its motion until the motion is removed`() {
    var motions = PropertyMotions()
    #expect(motions.late.isEmpty && motions[3] == nil)
    motions[3, default: PropertyMotion()].newPlan = .init(executor: ExecutorHandle(1), command: 1)
    #expect(!motions.isLate(3) && motions[3]?.newPlan != nil)
    _ = motions[3]?.coast(from: moving, dt: 0.01, at: 0.01)
    #expect(motions.isLate(3) && !motions.late.isEmpty && !motions.isLate(2))
    motions[3] = nil
    #expect(!motions.isLate(3) && motions.late.isEmpty)
  }

  @Test func `a motion that is set while it coasts is late until another one is set`() {
    var motions = PropertyMotions()
    var motion = PropertyMotion()
    _ = motion.coast(from: moving, dt: 0.01, at: 0.01)
    motions[5] = motion
    #expect(motions.isLate(5))
    motions[5] = PropertyMotion()
    #expect(!motions.isLate(5) && motions.late.isEmpty)
  }
}
