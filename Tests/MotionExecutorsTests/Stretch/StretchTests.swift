import Glibc
import MotionStreams
import MotionTestKit
import Testing

@testable import MotionExecutors

private let dt = 1.0 / 60

@Suite struct StretchTests {
  // Clauses: S7.24
  @Test func `the volume is kept at any velocity`() {
    var random = SeededRandom(seed: SeededRandom.seed(of: #function))
    for _ in 0..<10_000 {
      let size = pow(10, Double.random(in: -300...300, using: &random))
      let velocity = Point(.random(in: -1...1, using: &random), .random(in: -1...1, using: &random)) * size
      var stretch = Stretch(strength: .random(in: 0...4, using: &random), angle: .random(in: -9...9, using: &random))
      for _ in 0..<3 { stretch.follow(velocity, for: .random(in: 0...1, using: &random)) }
      let factors = stretch.factors
      #expect(abs(factors.x * factors.y - 1) < 1e-12)
      #expect(factors.x >= 1 && factors.x <= pow(1.5, 4) + 1e-12)
      #expect(stretch.angle.isFinite)
    }
  }

  @Test func `a stretch at rest has no effect on scale and angle`() {
    var stretch = Stretch(strength: 4, angle: 0.3)
    stretch.follow(.zero, for: 1)
    #expect(stretch.angle == 0.3)
    #expect(stretch.factors == [1, 1])
  }

  @Test func `half of the exponent is reached at the half speed`() {
    var stretch = Stretch(strength: 2)
    stretch.follow([0, -Stretch.halfSpeed], for: 10)
    #expect(abs(stretch.factors.x - 1.5) < 1e-12)
  }

  @Test func `turning back on the same line does not change the angle`() {
    var stretch = Stretch(strength: 1, angle: atan2(3, 4))
    for speed in stride(from: 1000.0, through: -1000, by: -10) {
      stretch.follow(Point(4, 3) * speed, for: dt)
      #expect(abs(stretch.angle - atan2(3, 4)) < 1e-12)
    }
  }

  @Test func `turning back within a frame keeps most of the stretch`() {
    var stretch = Stretch(strength: 1)
    for _ in 0..<60 { stretch.follow([3000, 0], for: dt) }
    let long = stretch.exponent
    stretch.follow(.zero, for: dt)
    // A frame without any speed leaves exp(−1/2) of the stretch.
    #expect(stretch.exponent > 0.6 * long)
    stretch.follow([-3000, 0], for: dt)
    #expect(stretch.exponent > 0.75 * long)
    #expect(abs(stretch.angle) < 1e-12)
  }

  @Test func `initial factors relax to one, and impossible ones are ignored`() {
    var stretch = Stretch(strength: 1, factors: [2, 0.5])
    #expect(abs(stretch.factors.x - 2) < 1e-12)
    for _ in 0..<60 { stretch.follow(.zero, for: dt) }
    #expect(stretch.factors == [1, 1])
    for odd: Point in [[0, 0], [-1, 1], [.infinity, 1]] { #expect(Stretch(strength: 1, factors: odd).exponent == 0) }
  }

  @Test func `initial factors are limited to a possible stretch`() {
    for factors: Point in [[0.06, 1.85], [0.4, 2.4], [3, 3]] {
      let stretch = Stretch(strength: 1, factors: factors)
      #expect(abs(stretch.exponent) <= Stretch.most + 1e-12, "\(factors)")
      #expect((stretch.exponent < 0) == (factors.x < factors.y) || factors.x == factors.y)
    }
  }

  @Test func `the angle follows a line by the shorter turn`() {
    for degrees in stride(from: -179.0, through: 179, by: 2) {
      let line = degrees * .pi / 180
      var stretch = Stretch(strength: 1)
      for _ in 0..<600 {
        let before = stretch.angle
        stretch.follow(Point(cos(line), sin(line)) * 2000, for: dt)
        #expect(abs(stretch.angle - before) < 0.7)
      }
      #expect(abs((stretch.angle - line).remainder(dividingBy: .pi)) < 1e-9)
      #expect(abs(stretch.angle) <= .pi / 2 + 1e-9)
    }
  }

  @Test func `noise at rest hardly changes scale and angle`() {
    var random = SeededRandom(seed: SeededRandom.seed(of: #function))
    var stretch = Stretch(strength: 1, angle: 1)
    for _ in 0..<1000 {
      stretch.follow(Point(.random(in: -5...5, using: &random), .random(in: -5...5, using: &random)), for: dt)
      #expect(stretch.factors.x < 1.0001)
    }
    #expect(abs(stretch.angle - 1) < 0.05)
  }
}
