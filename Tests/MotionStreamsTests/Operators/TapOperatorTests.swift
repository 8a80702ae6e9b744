import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct TapOperatorTests {
  // Clauses: S3.5
  @Test func `tap calls its function before it passes a value on`() {
    var seen: [Double] = []
    #expect(
      marbles("1-2-3", states: "+---.") { $0._tap($0.metadata.with("look()")) { seen.append($0) } } == """
        1-2-3
        +---.
        .look()
        1-2-3
        +---.
        ^----!
        """)
    #expect(seen == [1, 2, 3])
  }

  // Clauses: S2.9
  @Test func `the metadata is the given one`() {
    let values = MotionSubject<Double>(Metadata("values")).asStream()
    let stream = values._tap(values.metadata.with("look()")) { _ in }
    #expect(stream.metadata.debugDescription == "values()\n  .look()")
  }

  // Clauses: S2.15
  @Test func `the default metadata is the operator's name`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0._tap { _ in } } == """
        1-2-3
        +---.
        ._tap()
        1-2-3
        +---.
        ^----!
        """)
  }
}
