import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct SlidingWindowTests {
  // Clauses: S3.6
  @Test func `slidingWindow emits the last values, fewer at the beginning`() {
    #expect(
      marbles("1-2-3", states: "+---.", second: 3) { $0._slidingWindow() } == """
        1     -     2     -     3
        +     -     -     -     .
        ._slidingWindow(size: 2)
        [1]   -     [1 2] -     [2 3]
        +     -     -     -     .
        -     -     -     -     [3]
        -     -     -     -     .
        ^     -     -     ^     -     (!!)
        """)
    #expect(
      marbles("123") { $0._slidingWindow(size: 0) } == """
        1   2   3
        ._slidingWindow(size: 0)
        [1] [2] [3]
        ^   -   -   !
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its size, or is the given one`() {
    let values = MotionSubject<Double>(Metadata("values")).asStream()
    #expect(values._slidingWindow().metadata.debugDescription == "values()\n  ._slidingWindow(size: 2)")
    #expect(values._slidingWindow(values.metadata.with("pairs()")).metadata.debugDescription == "values()\n  .pairs()")
  }
}
