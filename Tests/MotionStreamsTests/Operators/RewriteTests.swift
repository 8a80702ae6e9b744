import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct RewriteTests {
  // Clauses: S3.30
  @Test func `rewrite replaces known values and drops others`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0.rewrite([3: 9.0, 1: 7.0]) } == """
        1-2-3
        +---.
        .rewrite(: [1.0: 7.0, 3.0: 9.0])
        7---9
        +---.
        ^----!
        """)
  }

  // Clauses: S3.31
  @Test func `rewrite subscribes to its streams and emits the newest`() {
    #expect(
      marbles(
        .numbers("1---2-3--1", states: "+--------."), .numbers("--7-------", states: "-+."), .numbers("--8--9-6--")
      ) {
        $0.rewrite([1: $1, 2: $2])
      } == """
        1---2-3--1
        +--------.
        --7-------
        -+.-------
        --8--9-6--
        .rewrite(: [1.0: other(), 2.0: third()])
        --7-89---7
        +--------.
        ^---------!
        ^---------!
        ^---------!
        """)
  }
}
