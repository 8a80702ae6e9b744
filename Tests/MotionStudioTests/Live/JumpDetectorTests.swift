import MotionModel
import MotionTestKit
import Testing

@testable import MotionStudio

/// What counts as a jump of a property that one plan drives.
struct JumpDetectorTests {
  /// The frames of the jumps of these states, at 100 frames a second.
  private func jumps(_ states: [PropertyState], handovers: Set<Int> = []) -> [(frame: Int, value: Double)] {
    var detector = JumpDetector()
    for (number, state) in states.enumerated() {
      _ = detector.take(
        state, after: number > 0 ? states[number - 1] : nil,
        at: Frame(number: UInt64(number), time: Double(number) / 100, dt: 0.01), isHandover: handovers.contains(number))
    }
    return detector.found().compactMap { jump in jump.map { (Int($0.frame.number), $0.value[0]) } }
  }

  private func moving(_ values: [Double], _ velocities: [Double]? = nil) -> [PropertyState] {
    values.enumerated().map { PropertyState([$1], velocity: [velocities?[$0] ?? 0]) }
  }

  // Clauses: S30.17
  @Test func `a value that leaves its course by much has jumped, once`() {
    let even = (0..<100).map { Double($0) }
    let jumped = even.map { $0 < 50 ? $0 : $0 + 40 }
    let found = jumps(moving(jumped, even.map { _ in 100 }))
    #expect(found.map(\.frame) == [50] && found.first?.value == 40)
    #expect(jumps(moving(even, even.map { _ in 100 })).isEmpty)
    #expect(jumps(moving(jumped), handovers: [50]).isEmpty, "the hand-over explains it")
    // From rest, by a plan that reports no velocities.
    #expect(jumps(moving([0, 0, 0, 5, 5, 5])).map(\.frame) == [3])
  }

  // Clauses: S30.17
  @Test func `what moves without reporting velocities does not jump in each frame`() {
    let swing = (0..<300).map { number in
      let phase = Double(number % 100) / 100
      return 100 * (phase < 0.5 ? phase : 1 - phase)
    }
    #expect(jumps(moving(swing)).count <= 1)
    let steps = (0..<600).map { Double($0 / 10) }
    #expect(jumps(moving(steps)).count <= 7, "at most one a second")
  }

  // Clauses: S30.17
  @Test func `the largest of the steps within a second is the jump`() {
    // It begins with a small step, as a plan does whose worker is late, and jumps half a second later.
    let course: [Double] = (0..<100).map { number in
      let even = Double(number)
      return number < 10 ? 0 : number < 60 ? even : even + 200
    }
    let velocities: [Double] = (0..<100).map { $0 < 10 ? 0 : 100 }
    let found = jumps(moving(course, velocities))
    #expect(found.map(\.frame) == [60] && abs((found.first?.value ?? 0) - 200) < 1e-9, "\(found)")
    // A smaller one that follows stays a part of it.
    let back = jumps(moving(course.reversed(), velocities.map { _ in -100 }))
    #expect(back.map(\.frame) == [40], "\(back)")
  }

  // Clauses: S30.17
  @Test func `a step that is small beside the whole is none, and neither are others of lanes`() {
    let rise = (0..<200).map { Double($0) }
    var arrived = moving(rise, rise.map { _ in 100 })
    arrived.append(PropertyState([199], velocity: [0]))
    arrived.append(PropertyState([199.5], velocity: [0]))
    #expect(jumps(arrived).isEmpty)
    #expect(jumps([PropertyState(0), PropertyState([100, 100]), PropertyState([100, 100])]).isEmpty)
  }

  // Clauses: S30.17
  @Test func `springs do not jump, however stiff they are and wherever they begin`() {
    var random = SeededRandom(seed: SeededRandom.seed(of: "jumps"))
    for _ in 0..<SeededRandom.rounds(60) {
      let (tension, friction) = (Double.random(in: 1...400, using: &random), Double.random(in: 0...30, using: &random))
      var (value, velocity) = (Double.random(in: -100...100, using: &random), 0.0)
      var states = [PropertyState([value], velocity: [velocity])]
      for _ in 0..<300 {
        for _ in 0..<10 {
          velocity += 0.001 * (-tension * value - friction * velocity)
          value += 0.001 * velocity
        }
        states.append(PropertyState([value], velocity: [velocity]))
      }
      #expect(jumps(states).isEmpty, "tension \(tension), friction \(friction)")
    }
  }
}
