import MotionPhysics
import Testing

/// A few of every kind, and the awkward ones.
let timingSamples = [
  "linear", "ease", "ease-in", "ease-out", "ease-in-out", "cubic-bezier(0.1, 0.7, 1, 0.1)",
  "cubic-bezier(0.5, -2, 0.5, 3)", "cubic-bezier(0, 0, 0, 0)", "cubic-bezier(1, 1, 1, 1)",
  "cubic-bezier(0, 0, 1, 1)", "cubic-bezier(0.3, 0.3, 0.3, 0.3)", "linear(0, 0.5 30%, 1)",
  "linear(0, 0.2, 0.8 20% 60%, 1.3, 1)",
]

@Suite struct TimingFunctionTests {
  // Clauses: S5.16
  @Test(arguments: timingSamples)
  func curvesBeginAtZeroAndEndAtOneExactly(text: String) throws {
    let timing = try TimingFunction(parsing: text)
    #expect(timing.value(at: 0) == 0)
    #expect(timing.value(at: 1) == 1)
    #expect(timing.value(at: -3) == 0)
    #expect(timing.value(at: 7) == 1)
  }

  /// Analytic against central differences, away from corners.
  @Test(arguments: timingSamples)
  func `derivatives equal differences of the values`(text: String) throws {
    let timing = try TimingFunction(parsing: text)
    let corners = [0, 0.2, 0.3, 0.6, 0.8, 1]
    let h = 1e-6
    for index in 1..<997 {
      let progress = Double(index) / 997
      if corners.contains(where: { abs($0 - progress) < 1e-4 }) { continue }
      let slope = (timing.value(at: progress + h) - timing.value(at: progress - h)) / (2 * h)
      let tolerance = 1e-6 * (1 + abs(slope) * abs(slope))
      #expect(abs(timing.derivative(at: progress) - slope) < tolerance, "at \(progress)")
    }
  }

  /// Analytic against central differences of the slope, away from corners and from vertical tangents.
  @Test(arguments: timingSamples)
  func `second derivatives equal differences of the slopes`(text: String) throws {
    let timing = try TimingFunction(parsing: text)
    let corners = [0, 0.2, 0.3, 0.6, 0.8, 1]
    let h = 1e-6
    for index in 1..<997 {
      let progress = Double(index) / 997
      if corners.contains(where: { abs($0 - progress) < 1e-4 }) { continue }
      let (before, after) = (timing.derivative(at: progress - h), timing.derivative(at: progress + h))
      if abs(before) > 30 || abs(after) > 30 { continue }
      let bend = (after - before) / (2 * h)
      let limit: Double = 1e-4 * (1 + bend * bend)
      #expect(abs(timing.secondDerivative(at: progress) - bend) < limit, "at \(progress)")
    }
  }

  /// The value belongs to the parameter at which x is the progress: checked by going the other way.
  // Clauses: S5.16
  @Test func bezierValuesLieOnTheCurve() throws {
    var random = SeededGenerator.fromEnvironment()
    for _ in 0..<3000 {
      let (x1, x2) = (random.double(0...1), random.double(0...1))
      let (y1, y2) = (random.double(-2...2), random.double(-2...2))
      let timing = try TimingFunction.cubicBezier(x1, y1, x2, y2)
      let t = random.double(0...1)
      func coordinate(_ first: Double, _ second: Double) -> Double {
        3 * (1 - t) * (1 - t) * t * first + 3 * (1 - t) * t * t * second + t * t * t
      }
      let slope = timing.derivative(at: coordinate(x1, x2))
      let tolerance = 1e-14 * (1 + abs(slope))
      if abs(slope) < 100 {
        #expect(abs(timing.value(at: coordinate(x1, x2)) - coordinate(y1, y2)) < tolerance)
      }
    }
  }

  /// Values of CSS's curves as browsers have them.
  @Test(arguments: [
    (TimingFunction.ease, 0.5, 0.802403387584857), (.easeIn, 0.5, 0.3153568125725393),
    (.easeOut, 0.5, 0.6846431874274607), (.easeInOut, 0.5, 0.5),
  ])
  func namedCurvesHaveTheirKnownValues(timing: TimingFunction, progress: Double, value: Double) {
    #expect(abs(timing.value(at: progress) - value) < 1e-12)
  }

  @Test func uprightTangentsAreBounded() throws {
    let upright = try TimingFunction.cubicBezier(0, 1, 1, 0)
    #expect(upright.derivative(at: 0) == TimingFunction.steepestSlope)
    #expect(upright.derivative(at: 1) == TimingFunction.steepestSlope)
    let inside = try TimingFunction.cubicBezier(1, 0, 0, 1)
    #expect(inside.derivative(at: 0.5) == TimingFunction.steepestSlope)
    let down = try TimingFunction.cubicBezier(0, -1, 1, 2)
    #expect(down.derivative(at: 0) == -TimingFunction.steepestSlope)
    for text in timingSamples {
      let timing = try TimingFunction(parsing: text)
      for index in 0...1000 {
        #expect(abs(timing.derivative(at: Double(index) / 1000)) <= TimingFunction.steepestSlope)
      }
    }
  }

  @Test func slopesAtTheEndsFollowTheControlPoints() throws {
    #expect(abs(TimingFunction.ease.derivative(at: 0) - 0.4) < 1e-14)
    #expect(TimingFunction.ease.derivative(at: 1) == 0)
    // A control point in its corner: the other one gives the direction.
    #expect(try TimingFunction.cubicBezier(0, 0, 0.5, 1).derivative(at: 0) == 2)
    #expect(try TimingFunction.cubicBezier(0.5, 0.75, 1, 1).derivative(at: 1) == 0.5)
    #expect(try TimingFunction.cubicBezier(0, 0, 1, 1).derivative(at: 0.5) == 1)
    #expect(try TimingFunction.cubicBezier(0, 0, 0, 0).derivative(at: 0) == 1)
  }

  /// count and position → the values at 0, 0.2, 0.25, 0.5, 0.999, 1.
  // Clauses: S5.16
  @Test(arguments: [
    ("steps(4, jump-end)", [0, 0, 0.25, 0.5, 0.75, 1]), ("steps(4, jump-start)", [0.25, 0.25, 0.5, 0.75, 1, 1]),
    ("steps(4, jump-both)", [0.2, 0.2, 0.4, 0.6, 0.8, 1]), ("steps(5, jump-none)", [0, 0.25, 0.25, 0.5, 1, 1]),
    ("step-start", [1, 1, 1, 1, 1, 1]), ("step-end", [0, 0, 0, 0, 0, 1]),
    ("steps(1, jump-both)", [0.5, 0.5, 0.5, 0.5, 0.5, 1]),
  ])
  func `steps jump where CSS defines`(text: String, expected: [Double]) throws {
    let timing = try TimingFunction(parsing: text)
    let values = [0, 0.2, 0.25, 0.5, 0.999, 1].map { timing.value(at: $0) }
    #expect(values == expected)
    #expect(timing.derivative(at: 0.3) == 0)
  }

  // Clauses: S5.16
  @Test func linesPassTheirPointsAndJump() throws {
    let timing = try TimingFunction(parsing: "linear(0, 0.5 30%, 0.9 30%, 1 80%)")
    #expect(timing.value(at: 0.15) == 0.25)
    #expect(timing.value(at: 0.3) == 0.9)
    #expect(abs(timing.value(at: 0.55) - 0.95) < 1e-15)
    // The last line continues.
    #expect(abs(timing.value(at: 1) - 1.04) < 1e-15)
    #expect(abs(timing.derivative(at: 0.3) - 0.2) < 1e-14)
    let jump = try TimingFunction(parsing: "linear(0, 0.5 100%, 1 100%)")
    #expect(jump.value(at: 1) == 1)
    #expect(jump.derivative(at: 1) == 0.5)
  }

  @Test func numbersOutOfRangeAreRefused() {
    #expect(throws: TimingFunctionError.self) { try TimingFunction.cubicBezier(-0.1, 0, 1, 1) }
    #expect(throws: TimingFunctionError.self) { try TimingFunction.cubicBezier(0, 0, .nan, 1) }
    #expect(throws: TimingFunctionError.self) { try TimingFunction.cubicBezier(0, .infinity, 1, 1) }
    #expect(throws: TimingFunctionError.self) { try TimingFunction.steps(0) }
    #expect(throws: TimingFunctionError.self) { try TimingFunction.steps(1, .none) }
    #expect(throws: TimingFunctionError.self) { try TimingFunction.piecewiseLinear([.init(input: 0, output: 0)]) }
    #expect(throws: TimingFunctionError.self) {
      try TimingFunction.piecewiseLinear([.init(input: 0.5, output: 0), .init(input: 0.4, output: 1)])
    }
  }
}
