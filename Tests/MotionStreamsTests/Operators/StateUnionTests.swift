import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct StateUnionTests {
  // Clauses: S3.36
  @Test func `a union is at rest only when all its streams are`() {
    #expect(
      marbles(.numbers("------", states: "+--.--"), .numbers("------", states: "-+---.")) { $0.merge(with: $1) } == """
        ------
        +--.--
        ------
        -+---.
        .merge(with: other())
        ------
        ++---.
        ^-----!
        ^-----!
        """)
  }

  // Clauses: S1.6
  @Test func `repeated states pass, and are not counted`() {
    #expect(
      marbles(.numbers("------", states: "++-.-."), .numbers("------", states: "------")) { $0.merge(with: $1) } == """
        ------
        ++-.-.
        ------
        .merge(with: other())
        ------
        ++-.-.
        ^-----!
        ^-----!
        """)
  }
}
