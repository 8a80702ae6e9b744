import Testing

@testable import motionctl

@Suite struct SparklineTests {
  private func curve(_ values: [Double], width: Int) -> String {
    var curve = Sparkline(width: width)
    for value in values { curve.add(value) }
    return curve.text
  }

  @Test func drawsEightHeights() {
    #expect(curve([0, 1, 2, 3, 4, 5, 6, 7], width: 8) == "▁▂▃▄▅▆▇█")
  }

  @Test func `the newest value is on the right`() {
    #expect(curve([0, 7], width: 4) == "  ▁█")
    #expect(curve([9, 0, 7], width: 2) == "▁█")
    #expect(curve([5, 5, 0, 3, 7], width: 3) == "▁▄█")
  }

  @Test func `a constant value is a flat line`() {
    #expect(curve([], width: 3) == "   ")
    #expect(curve([4, 4, 4], width: 3) == "▁▁▁")
  }

  @Test func `extreme values stay within the blocks`() {
    #expect(curve([-Double.greatestFiniteMagnitude, .greatestFiniteMagnitude], width: 2).count == 2)
    #expect(curve([1e-300, 2e-300, 3e-300], width: 3).last == "█")
  }
}
