import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct LookingTests {
  @Test func `log, toString and visualize pass values on`() {
    var lines: [String] = []
    #expect(
      marbles("1-2") { $0.log("x", to: { lines.append($0) }).visualize("y") { lines.append("\($0): \($1)") } } == """
        1-2
        .log(: x)
        .visualize(: y)
        1-2
        ^--!
        """)
    #expect(lines == ["x 1.0", "y: 1.0", "x 2.0", "y: 2.0"])
    #expect(
      marbles("1-2") { $0.toString { "\(Int($0) + 1)" } } == """
        1-2
        .toString()
        2-3
        ^--!
        """)
  }
}
