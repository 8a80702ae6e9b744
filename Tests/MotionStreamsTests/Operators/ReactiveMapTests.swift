import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ReactiveMapTests {
  // Clauses: S3.11
  @Test func `reactiveMap emits for each value of any input, once all have one`() {
    #expect(
      marbles(
        .numbers("1---2--", states: "+-----."), .numbers("--1----", states: "-+.----"), .flags("---t-f-"), second: 5
      ) { values, numbers, flags in
        values._reactiveMap(
          values.metadata.with("sum(_:_:)", args: [numbers, flags]), inputs: .stream(numbers), .constant(5),
          .stream(flags)
        ) { $3 ? $0 + $1 + $2 : 0 }
      } == """
        1---2--
        +-----.
        --1----
        -+.----
        ---t-f-
        .sum(: other(), : third())
        ---780-
        +-----.
        -------
        ------.
        ^----^-(!!)
        ^----^-(!!)
        ^----^-(!!)
        """)
  }

  // Clauses: S3.11
  @Test func `reactiveMap emits only with upstream if asked to`() {
    #expect(
      marbles(.numbers("1--2---3"), .numbers("-12--3--")) { values, other in
        values._reactiveMap(
          values.metadata.with("sum(_:)", args: [other]), inputs: .stream(other), onlyEmitWithUpstream: true
        ) { $0 + $1 }
      } == """
        1--2---3
        -12--3--
        .sum(: other())
        ---4---6
        ^-------!
        ^-------!
        """)
  }

  // Clauses: S3.11
  @Test func `reactiveMap without inputs is a map`() {
    #expect(
      marbles("1-2") { $0._reactiveMap($0.metadata.with("twice()")) { 2 * $0 } } == """
        1-2
        .twice()
        2-4
        ^--!
        """)
  }

  // Clauses: S2.15
  @Test func `the default metadata is the operator's name`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0._reactiveMap(inputs: .constant(1.0)) { $0 + $1 } } == """
        1-2-3
        +---.
        ._reactiveMap()
        2-3-4
        +---.
        ^----!
        """)
  }
}
