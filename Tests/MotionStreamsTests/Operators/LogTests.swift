import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct LogTests {
  // Clauses: S3.44
  @Test func `log passes values and writes a line for each`() {
    var lines: [String] = []
    #expect(
      marbles("1-2", states: "+-.") { $0.log("x", to: { lines.append($0) }) } == """
        1-2
        +-.
        .log(: x)
        1-2
        +-.
        ^--!
        """)
    #expect(lines == ["x 1.0", "x 2.0"])
  }

  // Clauses: S3.44
  @Test func `log without a prefix writes the value`() {
    var lines: [String] = []
    _ = marbles("1") { $0.log(to: { lines.append($0) }) }
    #expect(lines == ["1.0"])
  }
}
