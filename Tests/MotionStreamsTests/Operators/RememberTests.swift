import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct RememberTests {
  // Clauses: S3.8
  @Test func `a late subscriber to remember gets the last state and value once`() {
    #expect(
      marbles("1-2-3", states: "+---.", second: 3) { $0._remember() } == """
        1-2-3
        +---.
        ._remember()
        1-2-3
        +---.
        ---23
        ---+.
        ^----!
        """)
  }

  // Clauses: S1.4
  @Test func `a subscription does not keep a remembered stream`() {
    weak var upstream: MotionObservable<Int>?
    var shared: MotionObservable<Int>?
    var subscription: Subscription?
    do {
      let stream = MotionObservable<Int>(Metadata("source")) { _ in noopDisconnect }
      upstream = stream
      shared = stream._remember()
      subscription = shared?.subscribe { _ in }
    }
    #expect(upstream != nil)
    shared = nil
    #expect(upstream == nil && subscription?.isSubscribed == true)
    subscription?.unsubscribe()
  }

  // Clauses: S2.9
  @Test func `the metadata is the operator's name or the given one`() {
    let values = MotionSubject<Double>(Metadata("values")).asStream()
    #expect(values._remember().metadata.debugDescription == "values()\n  ._remember()")
    #expect(values._remember(Metadata("shared")).metadata.debugDescription == "shared()")
  }
}
