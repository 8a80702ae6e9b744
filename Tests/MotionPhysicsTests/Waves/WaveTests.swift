import MotionPhysics
import MotionTestKit
import Testing

struct WaveTests {
  private static let lanes = SIMD4<Double>(1, -2, 0.25, 0)

  private func wave(_ shape: Wave.Shape) -> Wave {
    Wave(
      shape, rate: Self.lanes, phase: [0, 0.1, 0.5, 0], offset: [1, 2, 3, 4], amplitude: [2, 1, 0.5, 9], width: 0.25)
  }

  // Clauses: S24.2
  @Test func `each shape has its values at the quarters of a cycle`() {
    let values: [Wave.Shape: [Double]] = [
      .sine: [0, 1, 0, -1], .triangle: [0, 1, 0, -1], .saw: [-1, -0.5, 0, 0.5], .pulse: [1, -1, -1, -1],
    ]
    for (shape, expected) in values {
      let wave = Wave(shape, rate: [2, 0, 0, 0], amplitude: [1, 0, 0, 0], width: 0.25)
      for cycle in [0.0, 3, -7] {
        for (quarter, value) in expected.enumerated() {
          let sample = wave.sample(at: (cycle + Double(quarter) / 4) / 2)
          #expect(abs(sample.value[0] - value) < 1e-12, "\(shape) at \(quarter)")
        }
      }
    }
  }

  // Clauses: S24.2
  @Test(arguments: Wave.Shape.allCases) func `velocity and acceleration are the derivatives`(_ shape: Wave.Shape) {
    var random = SeededRandom(seed: SeededRandom.seed(of: "wave"))
    let (wave, h) = (wave(shape), 1e-5)
    var compared = 0
    for _ in 0..<SeededRandom.rounds(2000) {
      let time = Double.random(in: -50...50, using: &random)
      let (before, now, after) = (wave.sample(at: time - h), wave.sample(at: time), wave.sample(at: time + h))
      for lane in 0..<4 {
        let (slope, change) = (
          (after.value[lane] - before.value[lane]) / (2 * h), (after.velocity[lane] - before.velocity[lane]) / (2 * h)
        )
        // Where lines meet, or values step, there is no derivative.
        guard abs(slope) < 100, abs(change) < 1000 else { continue }
        guard shape == .sine || before.velocity[lane] == after.velocity[lane] else { continue }
        compared += 1
        #expect(abs(slope - now.velocity[lane]) < 1e-6, "at \(time)")
        #expect(abs(change - now.acceleration[lane]) < 1e-4, "at \(time)")
      }
      #expect(abs(now.value[0] - 1) <= 2 && abs(now.value[1] - 2) <= 1)
      #expect(now.value[3] == (shape == .pulse ? 13 : shape == .saw ? -5 : 4) && now.velocity[3] == 0)
    }
    #expect(compared > 1000)
  }

  @Test func `a wave of no rate or no amplitude is constant`() {
    #expect(Wave(.sine, rate: .zero, amplitude: [1, 1, 1, 1]).isConstant)
    #expect(Wave(.saw, rate: [1, 0, 0, 0], amplitude: [0, 1, 0, 0]).isConstant)
    #expect(!Wave(.saw, rate: [1, 0, 0, 0], amplitude: [1, 0, 0, 0]).isConstant)
  }

  // Clauses: S24.3
  @Test func `a crossfade is continuous, ends as the second motion, and stays between the two`() {
    var random = SeededRandom(seed: SeededRandom.seed(of: "wave"))
    for round in 0..<SeededRandom.rounds(300) {
      let wave = Wave(.sine, rate: [.random(in: 0...8, using: &random), 0, 0, 0], amplitude: [1, 0, 0, 0])
      let (start, velocity) = (Double.random(in: -1...1, using: &random), Double.random(in: -2...2, using: &random))
      let duration = Double.random(in: 0.001...20, using: &random)
      let fade = Crossfade(value: [start, 0, 0, 0], velocity: [velocity, 0, 0, 0], duration: duration)
      let first = fade.sample(at: 0, to: wave.sample(at: 3))
      #expect(first.value[0] == start && first.velocity[0] == velocity, "round \(round)")
      let end = wave.sample(at: 3 + duration)
      #expect(fade.sample(at: duration, to: end) == end && fade.isOver(at: duration))
      let h = duration * 1e-6
      for _ in 0..<50 {
        let time = Double.random(in: 0.001...0.999, using: &random) * duration
        let samples = [time - h, time, time + h].map { fade.sample(at: $0, to: wave.sample(at: 3 + $0)) }
        // The first motion goes at most 4/27 · 0.15 · 2 beyond its start.
        #expect(abs(samples[1].value[0]) < 1.05)
        let slope = (samples[2].value[0] - samples[0].value[0]) / (2 * h)
        let change = (samples[2].velocity[0] - samples[0].velocity[0]) / (2 * h)
        let scale = max(1, 1 / duration)
        #expect(abs(slope - samples[1].velocity[0]) < 1e-3 * scale, "round \(round) at \(time) of \(duration)")
        // Where the first motion ends, the acceleration steps.
        guard abs(time - 0.15) > 2 * h else { continue }
        #expect(
          abs(change - samples[1].acceleration[0]) < 0.1 * scale * scale, "round \(round) at \(time) of \(duration)")
      }
    }
  }
}
