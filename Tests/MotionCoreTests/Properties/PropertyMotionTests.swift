import MotionModel
import MotionPhysics
import Testing

@testable import MotionCore

/// Hand-overs, fades and late drivers of one property.
struct PropertyMotionTests {
  private func word(
    _ value: Double, velocity: Double = 0, imposes: Imposed = [], remaining: Double? = nil, carry: Double? = nil
  ) -> PropertyMotion.Sample {
    PropertyMotion.Sample(
      executor: ExecutorHandle(1), state: PropertyState(Lanes(value), velocity: Lanes(velocity)), imposes: imposes,
      remaining: remaining, carry: carry)
  }

  @Test func `a sample without a blend is followed unchanged`() {
    var motion = PropertyMotion()
    #expect(motion.follow(word(3, velocity: 2), at: 1) == PropertyState(3, velocity: 2))
    #expect(motion.isEmpty)
  }

  // Clauses: S10.10
  @Test func `a hand-over is continuous and has faded within 150 ms`() {
    var motion = PropertyMotion()
    let present = PropertyState(10, velocity: 100)
    let first = motion.takeOver(word(4, velocity: -20), from: present, dt: 0.01, at: 0)
    #expect(abs(first.value[0] - 10) < 1e-12 && abs(first.velocity[0] - 100) < 1e-12)
    var last = first.value[0]
    for step in 1...15 {
      let state = motion.follow(word(4), at: Double(step) * 0.01)
      #expect(abs(state.value[0] - last) < 2)
      last = state.value[0]
    }
    #expect(last == 4)
    #expect(motion.isEmpty)
  }

  // Clauses: S10.11
  @Test func `a value or velocity that an intention imposes is not blended`() {
    let present = PropertyState(10, velocity: 100)
    var value = PropertyMotion()
    #expect(value.takeOver(word(4, imposes: .value), from: present, dt: 0.01, at: 0).value == 4)
    var both = PropertyMotion()
    #expect(
      both.takeOver(word(4, velocity: 1, imposes: [.value, .velocity]), from: present, dt: 0.01, at: 0)
        == PropertyState(4, velocity: 1))
    #expect(both.isEmpty)
    var velocity = PropertyMotion()
    #expect(velocity.takeOver(word(4, imposes: .velocity), from: present, dt: 0.01, at: 0) == PropertyState(10))
  }

  // Clauses: S10.10
  @Test func `a blend lasts no longer than the movement`() {
    var motion = PropertyMotion()
    _ = motion.takeOver(word(0, remaining: 0.05), from: PropertyState(10), dt: 0.01, at: 0)
    #expect(motion.follow(word(0, remaining: 0.01), at: 0.04).value[0] > 0)
    #expect(motion.follow(word(0, remaining: 0), at: 0.05).value == 0)
    var over = PropertyMotion()
    #expect(over.takeOver(word(0, remaining: 0), from: PropertyState(10), dt: 0.01, at: 0).value == 0)
  }

  // Clauses: S10.10
  @Test func `a carried velocity is blended out in its own time, unless the property stands`() {
    var motion = PropertyMotion()
    let first = motion.takeOver(word(0, carry: 0.02), from: PropertyState(10, velocity: 600), dt: 0.01, at: 0)
    #expect(first.value == 10 && first.velocity[0] == 600)
    let farthest = (1...15).map { motion.follow(word(0), at: Double($0) * 0.01).value[0] }.max() ?? 0
    #expect(farthest <= 10 + 4.0 / 27 * 0.02 * 600 && farthest > 9)
    var standing = PropertyMotion()
    _ = standing.takeOver(word(10, velocity: 600, carry: 0.02), from: PropertyState(10), dt: 0.01, at: 0)
    #expect(standing.follow(word(16, velocity: 600), at: 0.02).velocity[0] < 600)
  }

  // Clauses: S10.12
  @Test func `both parts of a blend continue over a restart`() {
    var motion = PropertyMotion()
    _ = motion.takeOver(word(0, carry: 0.05), from: PropertyState(10, velocity: 600), dt: 0.01, at: 0)
    let present = motion.follow(word(0), at: 0.02)
    var restored = PropertyMotion()
    for part in motion.blend?.left(at: 0.02) ?? [] {
      restored.resume(part.difference, for: part.remaining, from: present, at: 0.02)
    }
    for time in [0.02, 0.03, 0.05, 0.1, 0.15] {
      let (one, other) = (motion.follow(word(0), at: time), restored.follow(word(0), at: time))
      #expect(abs(one.value[0] - other.value[0]) < 1e-9 && abs(one.velocity[0] - other.velocity[0]) < 1e-6)
    }
    #expect(motion.isEmpty && restored.isEmpty)
  }

  @Test func `a blend continues without further samples`() {
    var motion = PropertyMotion()
    _ = motion.takeOver(word(4), from: PropertyState(10), dt: 0.01, at: 0)
    #expect(motion.isMoving)
    let half = motion.goOn(at: 0.075)
    #expect(half.map { $0.value[0] > 4 && $0.value[0] < 10 } == true)
    #expect(motion.goOn(at: 0.15)?.value == 4)
    #expect(!motion.isMoving)
    #expect(motion.goOn(at: 0.2) == nil)
  }

  // Clauses: S10.12
  @Test func `the velocity fades over four frames without a mover`() {
    var motion = PropertyMotion()
    var state = PropertyState(0, velocity: 400)
    var velocities: [Double] = []
    for step in 1...5 {
      state = motion.coast(from: state, dt: 0.01, at: Double(step) * 0.01)
      velocities.append(state.velocity[0])
    }
    #expect(velocities == [300, 200, 100, 0, 0])
    #expect(abs(state.value[0] - 8) < 1e-9, "twice velocity × dt")
    #expect(motion.isLate && motion.isCoasting && !motion.isMoving && !motion.isEmpty)
    _ = motion.takeOver(word(20), from: state, dt: 0.01, at: 1)
    #expect(motion.isLate && !motion.isCoasting)
    #expect(motion.follow(word(20), at: 1 + HandoverFade.longestDuration(afterGap: 1)) == PropertyState(20))
    #expect(!motion.isLate)
  }

  // Clauses: S10.12
  @Test(arguments: [10.0, 60], [300.0, -300, 0.01])
  func `a mover that becomes silent within a hand-over takes the property to its last sample`(
    framesPerSecond: Double, start: Double
  ) {
    var motion = PropertyMotion()
    let dt = 1 / framesPerSecond
    var state = motion.takeOver(word(0, velocity: 4), from: PropertyState([start]), dt: dt, at: 0)
    // Its second sample is its last.
    state = motion.follow(word(4 * dt, velocity: 4), at: dt)
    let (last, least) = (4 * dt, min(start, 4 * dt))
    for frame in 2...20 {
      let before = state.value[0]
      state = motion.coast(from: state, dt: dt, at: Double(frame) * dt)
      #expect(state.value[0] >= least && state.value[0] <= max(start, 3 * last))
      if start < last { #expect(state.value[0] >= before, "it does not go back") }
    }
    #expect(state.value[0] >= last - 1e-9 && state.value[0] <= 3 * last, "where its own velocity has led it")
    #expect(state.velocity[0] == 0)
  }
}

extension PropertyMotion {
  /// Whether it holds nothing that a later frame needs.
  fileprivate var isEmpty: Bool {
    var copy = self
    return copy.marks.isEmpty
  }
}
