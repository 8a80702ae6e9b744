import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct NextOperatorTests {
  // Clauses: S3.3, S3.4
  @Test func `nextOperator runs its function per value, with a memory for each subscription`() {
    #expect(
      marbles("1-2-3", states: "+---.", second: 2) {
        $0._nextOperator($0.metadata.with("sumTwice()")) { next in
          var sum = 0.0
          return { value in
            sum += value
            next(sum)
            next(sum)
          }
        }
      } == """
        1-2-3
        +---.
        .sumTwice()
        (11)-(33)-(66)
        +---.
        --(22)-(55)
        ----.
        ^-^--(!!)
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata is the given one`() {
    let values = MotionSubject<Double>(Metadata("values")).asStream()
    let stream = values._nextOperator(values.metadata.with("half(of:)", args: ["all"])) { next in { next($0 / 2) } }
    #expect(stream.metadata.debugDescription == "values()\n  .half(of: all)")
  }

  // Clauses: S2.15
  @Test func `the default metadata is the operator's name`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0._nextOperator { next in { next($0 * 2) } } } == """
        1-2-3
        +---.
        ._nextOperator()
        2-4-6
        +---.
        ^----!
        """)
  }
}
