import MotionModel
import Testing

@testable import MotionCore

/// The motion that is stored for a slot; lateness is tracked whichever way the motion was changed.
struct PropertyMotionsTests {
  private let moving = PropertyState([1, 2], velocity: [3, 4])

  @Test func `a property is late from the coasting of its motion until the motion is removed`() {
    var motions = PropertyMotions()
    #expect(motions.late.isEmpty && motions[3] == nil)
    motions.change(3) { $0.newPlan = .init(executor: ExecutorHandle(1), command: 1) }
    #expect(!motions.isLate(3) && motions[3]?.newPlan != nil)
    _ = motions.changeIfPresent(3) { $0.coast(from: moving, dt: 0.01, at: 0.01) }
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

  @Test func `motions of many slots that come and go are kept apart, and those that hold nothing are given up`() {
    let seed = TestSeed.value
    var random = SplitMix(seed: seed)
    var motions = PropertyMotions()
    var known: [Int: PropertyMotion] = [:]
    let sample = PropertyMotion.Sample(executor: ExecutorHandle(1), state: moving, imposes: [])
    for _ in 0..<2000 {
      let slot = Int.random(in: 0..<20, using: &random)
      let time = Double(slot)
      let change: (inout PropertyMotion) -> Void =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: { $0.newPlan = .init(executor: ExecutorHandle(UInt32(slot)), command: 1) }
        case 1: { $0.newPlan = nil }
        case 2: { $0.word = sample }
        case 3: { _ = $0.coast(from: moving, dt: 0.01, at: time) }
        case 4: { _ = $0.takeOver(sample, from: moving, dt: 0.01, at: time) }
        case 5: { $0.firstSample = sample }
        case 6: { $0.takeHold(at: moving, countingFrom: [0, 0]) }
        default: { $0.empty() }
        }
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        motions.changeIfPresent(slot, change)
        if var motion = known[slot] {
          change(&motion)
          known[slot] = motion
        }
      case 1:
        motions[slot] = nil
        known[slot] = nil
      case 2:
        let taken = motions.takeSample(slot, of: ExecutorHandle(1))
        let only = known[slot].map {
          !$0.isLate && !$0.isMoving && $0.grip == nil && $0.newPlan == nil && $0.firstSample == nil && $0.word != nil
        }
        #expect((taken != nil) == (only == true), "seed \(seed)")
        if taken != nil { known[slot] = nil }
      default:
        motions.change(slot, change)
        var motion = known[slot] ?? PropertyMotion()
        change(&motion)
        known[slot] = motion
      }
      if var motion = known[slot], motion.marks.isEmpty { known[slot] = nil }
      for slot in 0..<20 {
        let (found, expected) = (motions[slot], known[slot])
        #expect((found == nil) == (expected == nil), "seed \(seed)")
        #expect(found.map { "\($0)" } == expected.map { "\($0)" }, "seed \(seed)")
        let marks = motions.marks(of: slot)
        #expect(
          marks.isLate == expected?.isLate ?? false && marks.isCoasting == expected?.isCoasting ?? false, "seed \(seed)"
        )
        #expect(
          marks.isMoving == expected?.isMoving ?? false && marks.comesToRest == expected?.comesToRest ?? false,
          "seed \(seed)")
        #expect(
          marks.word == expected?.word?.executor && marks.hasFirstSample == (expected?.firstSample != nil),
          "seed \(seed)")
      }
      #expect(motions.late == Set(known.filter { $0.value.isLate }.keys), "seed \(seed)")
      #expect(motions.isEmpty == known.isEmpty, "seed \(seed)")
    }
  }
}
