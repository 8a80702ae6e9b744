import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ReadTests {
  // Clauses: S3.9
  @Test func `read returns the last immediate value and leaves no subscription`() {
    var read: Double?
    #expect(
      marbles("1-2") { input in
        let starting = MotionObservable<Double>(input.metadata) { observer in
          observer.next(8)
          observer.next(9)
          let subscription = input.subscribe(observer: observer)
          return subscription.unsubscribe
        }
        read = starting._read()
        return input.rewriteTo(read ?? 0)
      } == """
        1-2
        .rewriteTo(: 9.0)
        9-9
        (^!^)--!
        """)
    #expect(read == 9)
    #expect(MotionSubject<Int>().asStream()._read() == nil)
  }
}
