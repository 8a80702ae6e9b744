import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct MulticastTests {
  // Clauses: S3.7
  @Test func `a multicast stream is subscribed to once while it has subscribers`() {
    #expect(
      marbles("1-2-3", states: "+---.", second: 3) { $0._multicast() } == """
        1-2-3
        +---.
        ._multicast()
        1-2-3
        +---.
        ----3
        ----.
        ^----!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata is the operator's name or the given one`() {
    let values = MotionSubject<Double>(Metadata("values")).asStream()
    #expect(values._multicast().metadata.debugDescription == "values()\n  ._multicast()")
    #expect(values._multicast(Metadata("shared")).metadata.debugDescription == "shared()")
  }
}
