import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct MulticastTests {
  // Clauses: S3.7
  @Test func `what is shared is subscribed to once, as long as anybody listens`() {
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
  @Test func `it is told by its name, or by the metadata that it is given`() {
    let values = MotionSubject<Double>(Metadata("values")).asStream()
    #expect(values._multicast().metadata.debugDescription == "values()\n  ._multicast()")
    #expect(values._multicast(Metadata("shared")).metadata.debugDescription == "shared()")
  }
}
