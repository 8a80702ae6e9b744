import MotionPhysics
import Testing

@Suite struct TimingFunctionParsingTests {
  @Test(arguments: [
    ("linear", TimingFunction.linear), ("  EASE ", .ease), ("ease-in", .easeIn), ("Ease-Out", .easeOut),
    ("ease-in-out", .easeInOut),
  ])
  func `names of timing functions are parsed`(text: String, expected: TimingFunction) throws {
    #expect(try TimingFunction(parsing: text) == expected)
  }

  @Test func `timing functions are parsed`() throws {
    #expect(
      try TimingFunction(parsing: "cubic-bezier( .1,0.7 , 1e0 ,-1.5 )") == .cubicBezier(0.1, 0.7, 1, -1.5))
    #expect(try TimingFunction(parsing: "steps(3)") == .steps(3, .end))
    #expect(try TimingFunction(parsing: "steps( 3 , start )") == .steps(3, .start))
    #expect(try TimingFunction(parsing: "steps(3, end)") == .steps(3, .end))
    #expect(try TimingFunction(parsing: "steps(3, JUMP-NONE)") == .steps(3, .none))
    #expect(try TimingFunction(parsing: "step-start") == .steps(1, .start))
  }

  /// text → (input, output) of each point: ends, gaps, two percentages, inputs that go back.
  static let stops: [(text: String, inputs: [Double], outputs: [Double])] = [
    ("linear(0, 1)", [0, 1], [0, 1]),
    ("linear(0, 0.5 30%, 1)", [0, 0.3, 1], [0, 0.5, 1]),
    ("linear(0, 30% 0.5, 1)", [0, 0.3, 1], [0, 0.5, 1]),
    ("linear(0, 0.25, 0.5 50%, 0.6, 0.7, 1)", [0, 0.25, 0.5, 2.0 / 3, 2.5 / 3, 1], [0, 0.25, 0.5, 0.6, 0.7, 1]),
    ("linear(0, 0.5 25% 75%, 1)", [0, 0.25, 0.75, 1], [0, 0.5, 0.5, 1]),
    ("linear(0, 0.5 60%, 0.7 40%, 1)", [0, 0.6, 0.6, 1], [0, 0.5, 0.7, 1]),
  ]

  @Test(arguments: stops)
  func inputsLeftOutAreFilledIn(text: String, inputs: [Double], outputs: [Double]) throws {
    guard case .piecewiseLinear(let lines) = try TimingFunction(parsing: text) else {
      Issue.record("\(text) is not a linear()")
      return
    }
    #expect(lines.points.map(\.output) == outputs)
    #expect(zip(lines.points, inputs).allSatisfy { abs($0.input - $1) < 1e-15 })
  }

  @Test(arguments: timingSamples + ["steps(4, jump-both)", "step-start", "linear(0, 0.1 7%, 0.3 14.3%, 1e-7 29%, 1)"])
  func `a description parses to the same function`(text: String) throws {
    let timing = try TimingFunction(parsing: text)
    #expect(try TimingFunction(parsing: timing.description) == timing)
  }

  @Test(arguments: [
    ("ease", "ease"), ("cubic-bezier(0.42,0,1,1)", "ease-in"),
    ("cubic-bezier(.1,.7,1,-1.5)", "cubic-bezier(0.1, 0.7, 1, -1.5)"),
    ("steps(3)", "steps(3, jump-end)"), ("linear(0, 0.5 30%, 1)", "linear(0 0%, 0.5 30%, 1 100%)"),
  ])
  func `a description is CSS`(text: String, expected: String) throws {
    #expect(try TimingFunction(parsing: text).description == expected)
  }

  /// text, column, words of the problem, words of the remedy.
  static let errors: [(text: String, column: Int, problem: String, remedy: String)] = [
    ("", 1, "nothing where a name", "ease-out"),
    ("eaze", 1, "no timing function is called 'eaze'", "write linear, ease"),
    ("  bounce(1)", 3, "'bounce'", "cubic-bezier"),
    ("cubic-bezier", 13, "without its numbers", "cubic-bezier(x1, y1, x2, y2)"),
    ("cubic-bezier()", 14, "')' where a number", "cubic-bezier(x1, y1, x2, y2)"),
    ("cubic-bezier(0, 0, 1)", 21, "3 numbers", "cubic-bezier(x1, y1, x2, y2)"),
    ("cubic-bezier(0, 0, 1, 1, 1)", 24, "',' where ')'", "four numbers"),
    ("cubic-bezier(0, 0, 1.5, 1)", 20, "x2 of a cubic-bezier is 1.5", "0 to 1"),
    ("cubic-bezier(-1, 0, 1, 1)", 14, "x1 of a cubic-bezier is -1.0", "0 to 1"),
    ("cubic-bezier(0, nan, 1, 1)", 17, "'n' where a number", "cubic-bezier"),
    ("cubic-bezier(0, 1e999, 1, 1)", 17, "'1e999'", "cubic-bezier"),
    ("cubic-bezier(0, 1e99, 1, 1)", 1, "y1", "at most"),
    ("cubic-bezier(0, 1.2.3, 1, 1)", 17, "'1.2.3'", "cubic-bezier"),
    ("steps(0)", 7, "0 steps", "1 to"),
    ("steps(1, jump-none)", 7, "1 steps with jump-none", "2 to"),
    ("steps(2.5)", 7, "2.5 steps", "whole number"),
    ("steps(1e30)", 7, "steps", "1 to"),
    ("steps(3, jump-up)", 10, "'jump-up'", "jump-start"),
    ("steps(3", 8, "nothing where ')'", "close"),
    ("ease(1)", 5, "takes no numbers", "write ease alone"),
    ("ease ease", 6, "'e' after", "one timing function"),
    ("linear(0)", 1, "1 points", "2 to"),
    ("linear(0, , 1)", 11, "',' where a number", "0.5 30%"),
    ("linear(0, 50%, 1)", 11, "without a number", "0.5 30%"),
    ("linear(0 1)", 10, "second number", "0.5 30%"),
    ("linear(0, 1 10% 20% 30%)", 11, "3 percentages", "0.5 30%"),
    ("linear(0, 1", 12, "nothing where ')'", "close"),
    ("é", 1, "'é' where a name", "ease-out"),
  ]

  @Test(arguments: errors)
  func `errors have column, problem and remedy`(text: String, column: Int, problem: String, remedy: String) {
    do {
      let timing = try TimingFunction(parsing: text)
      Issue.record("'\(text)' was read as \(timing)")
    } catch {
      #expect(error.column == column)
      #expect(error.problem.contains(problem), "\(error)")
      #expect(error.remedy.contains(remedy), "\(error)")
      #expect(error.description.hasPrefix("column \(column): "))
    }
  }

  /// Any bytes give a timing function or an error, never a trap.
  @Test func randomTextsNeverTrap() {
    var random = SeededGenerator.fromEnvironment()
    let pieces = [
      "linear", "steps", "cubic-bezier", "ease", "(", ")", ",", " ", "%", "0", "1", "0.5", "-", "+", "1e9", "e", ".",
      "jump-end", "start", "\u{0301}", "😀", "\0", "nan", "inf", "99999999999999999999",
    ]
    var read = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }
      if let timing = try? TimingFunction(parsing: text.joined()) {
        read += 1
        #expect(timing.value(at: 0.4).isFinite)
      }
    }
    #expect(read > 0)
  }

  @Test func tooLongATextIsRefused() {
    let text = "linear(" + String(repeating: "0,", count: 600_000) + "1)"
    #expect(throws: TimingFunctionError.self) { try TimingFunction(parsing: text) }
    let manyPoints = "linear(" + String(repeating: "0,", count: 70_000) + "1)"
    #expect(throws: TimingFunctionError.self) { try TimingFunction(parsing: manyPoints) }
  }
}
