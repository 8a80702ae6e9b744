import Testing

@testable import MotionDrawing

@Suite struct ScaleTests {
  @Test(arguments: [
    (0.0, 100.0, 5, ["0", "20", "40", "60", "80", "100"]), (-1.2, 1.7, 3, ["-2", "-1", "0", "1", "2"]),
    (0.001, 0.0042, 4, ["0.001", "0.002", "0.003", "0.004", "0.005"]), (3, 3, 4, ["2.5", "3.0", "3.5"]),
    (0, 2.5, 5, ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"]), (0, 0.9, 1, ["0", "1"]),
  ])
  func `scale ticks are round numbers`(low: Double, high: Double, count: Int, ticks: [String]) {
    let scale = Scale(low, high, about: count)
    #expect(scale.ticks.map { scale.text(of: $0) } == ticks)
  }

  @Test(arguments: [
    (0.0, 1.0), (-5e-300, 5e-300), (-Double.greatestFiniteMagnitude, .greatestFiniteMagnitude), (1e15, 1e15 + 1),
    (7, 3), (-0.0, 0), (1e-9, 2e-9),
  ])
  func `a scale of any range has 2 to 12 ticks and contains the range`(low: Double, high: Double) {
    let scale = Scale(low, high, about: 5)
    #expect((2...12).contains(scale.ticks.count), "\(scale)")
    #expect(scale.ticks.allSatisfy { $0.isFinite })
    #expect(scale.low < scale.high)
    #expect((0...1).contains(scale.place(of: low)) && (0...1).contains(scale.place(of: high)))
    #expect(scale.place(of: scale.low) == 0 && scale.place(of: scale.high) == 1)
  }
}

@Suite struct DecimalTextTests {
  @Test(arguments: [
    (1.25, 1, "1.3"), (-0.04, 1, "0.0"), (-0.05, 1, "-0.1"), (12, 0, "12"), (0.0042, 4, "0.0042"), (1e20, 2, "1e+20"),
    (0.999, 2, "1.00"),
  ])
  func `numbers have the given digits`(number: Double, digits: Int, text: String) {
    #expect(DecimalText.fixed(number, digits: digits) == text)
  }

  @Test func `a place has at most one digit after the point`() {
    #expect([3, 3.04, 3.06, -0.01].map(DecimalText.place) == ["3", "3", "3.1", "0"])
  }
}
