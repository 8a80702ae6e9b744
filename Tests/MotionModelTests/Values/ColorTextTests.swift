import MotionModel
import Testing

@Suite struct ColorTextTests {
  private func close(_ text: String, _ expected: Lanes) -> Bool {
    guard let lanes = ColorText.lanes(of: text), lanes.count == expected.count else { return false }
    return (0..<lanes.count).allSatisfy { abs(lanes[$0] - expected[$0]) < 1e-12 }
  }

  /// The values of the curve of IEC 61966-2-1.
  @Test func hexadecimalDigitsBecomeLinearLanes() {
    #expect(ColorText.lanes(of: "#000000") == [0, 0, 0, 1])
    #expect(close("#ffffff", [1, 1, 1, 1]))
    #expect(close("#ff8000", [1, 0.21586050011389926, 0, 1]))
    let dark = 1.0 / 255 / 12.92
    let half = 128.0 / 255
    #expect(close("#01010180", [dark, dark, dark, half]))
    #expect(ColorText.lanes(of: "#f80") == ColorText.lanes(of: "#ff8800"))
    #expect(ColorText.lanes(of: "#F808") == ColorText.lanes(of: "#ff880088"))
  }

  @Test(arguments: ["", "#", "ff8000", "#ff", "#ff800", "#ff80000", "#gg0000", "#ff8000ff0", "# f8000", "#ff8०00"])
  func `invalid colours are refused`(_ text: String) { #expect(ColorText.lanes(of: text) == nil) }
}
