import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct FilterTests {
  // Clauses: S3.1, S3.5
  @Test func `filter passes the values that pass its test`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0._filter($0.metadata.with("beyond(_:)", args: [1])) { $0 > 1 } } == """
        1-2-3
        +---.
        .beyond(: 1)
        --2-3
        +---.
        ^----!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata is the given one`() {
    let values = MotionSubject<Double>(Metadata("values")).asStream()
    let stream = values._filter(values.metadata.with("beyond(_:)", args: [1])) { $0 > 1 }
    #expect(stream.metadata.debugDescription == "values()\n  .beyond(: 1)")
  }

  // Clauses: S2.15
  @Test func `the default metadata is the operator's name`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0._filter { $0 > 1 } } == """
        1-2-3
        +---.
        ._filter()
        --2-3
        +---.
        ^----!
        """)
  }
}
