import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct MergeTests {
  @Test func `as they come, upstream first`() {
    #expect(
      marbles("1-2", states: "+-.") { $0.merge(with: $0.scaled(by: 2)) } == """
        1-2
        +-.
        .merge(with: input()
            .scaled(by: 2.0))
        (12)-(24)
        (++)-.
        (^^)--(!!)
        """)
  }

  @Test func `one that rests is not the rest of both`() {
    let (first, second) = (MotionSubject<Double>(), MotionSubject<Double>())
    let merged = first.stream.merge(with: second.stream)
    for stream in [
      merged, first.stream + second.stream, combineLatest(first.stream, second.stream)._map(Metadata("first")) { $0.0 },
    ] {
      var states: [MotionState] = []
      let subscription = stream.subscribe(next: { _ in }, state: { states.append($0) })
      states = []
      first.state(.active)
      first.state(.active)
      second.state(.active)
      first.state(.atRest)
      first.state(.atRest)
      #expect(states == [.active, .active, .active])
      second.state(.atRest)
      #expect(states.last == .atRest)
      subscription.unsubscribe()
    }
  }
}
