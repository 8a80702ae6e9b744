import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct MapTests {
  // Clauses: S3.1, S3.2, S3.5
  @Test func `map transforms every value`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0._map($0.metadata.with("successor()")) { $0 + 1 } } == """
        1-2-3
        +---.
        .successor()
        2-3-4
        +---.
        ^----!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata is the given one`() {
    let values = MotionSubject<Double>(Metadata("values")).asStream()
    let stream = values._map(values.metadata.with("successor()")) { $0 + 1 }
    #expect(stream.metadata.debugDescription == "values()\n  .successor()")
  }

  // Clauses: S2.15
  @Test func `the default metadata is the operator's name`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0._map { $0 + 1 } } == """
        1-2-3
        +---.
        ._map()
        2-3-4
        +---.
        ^----!
        """)
  }
}
