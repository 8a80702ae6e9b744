import MotionStreams
import Testing

/// Streams as chains of calls, for programs that draw them in another process.
struct StreamChainsTests {
  /// `0: swing(), x() of 1.2, behind 3.4`
  private func lines(_ streams: [Metadata]) -> [String] {
    func text(_ place: StreamChains.Place) -> String { "\(place.chain).\(place.call)" }
    return StreamChains(streams).chains.enumerated().map { index, chain in
      "\(index): " + chain.calls.joined(separator: ", ") + (chain.argumentOf.map { " of \(text($0))" } ?? "")
        + (chain.follows.map { " behind \(text($0))" } ?? "")
    }
  }

  private func stream(_ name: String) -> MotionObservable<Double> {
    MotionObservable(Metadata(name)) { _ in noopDisconnect }
  }

  @Test func `a stream is a chain of its calls`() {
    #expect(lines([stream("swing").scaled(by: 2).dedupe().metadata]) == ["0: swing(), scaled(by: 2.0), dedupe()"])
    #expect(lines([]) == [])
  }

  @Test func `arguments are chains of their own, at any depth`() {
    let push = stream("push").offset(by: stream("wind"))
    #expect(
      lines([stream("swing").offset(by: push).dedupe().metadata, stream("still").metadata]) == [
        "0: swing(), offset(by: …), dedupe()", "1: push(), offset(by: …) of 0.1", "2: wind() of 1.1", "3: still()",
      ])
  }

  @Test func `a call is described once, however many streams use it`() {
    let swing = stream("swing").scaled(by: 2)
    #expect(
      lines([swing.dedupe().metadata, swing.metadata, stream("push").offset(by: swing.inverted()).metadata]) == [
        "0: swing(), scaled(by: 2.0), dedupe()", "1:  behind 0.1", "2: push(), offset(by: …)",
        "3: inverted() of 2.1 behind 0.1",
      ])
    let twice = stream("swing")
    #expect(
      lines([twice.metadata, stream("swing").metadata]) == ["0: swing()", "1: swing()"], "two that merely read alike")
  }

  @Test func `a property is one chain as a stream and as an argument`() {
    let place = createProperty(withInitialValue: 0.0, named: "place")
    #expect(
      lines([stream("swing").offset(by: place.asStream()).metadata, place.asStream().dedupe().metadata])
        == ["0: swing(), offset(by: …)", "1: place of 0.1", "2: dedupe() behind 1.0"])
  }

  @Test func `streams in a dictionary are arguments`() {
    let table = ["a": stream("one"), "b": stream("two")]
    let letters = MotionObservable<String>(Metadata("letters")) { _ in noopDisconnect }
    #expect(lines([letters.rewrite(table).metadata]).dropFirst() == ["1: one() of 0.1", "2: two() of 0.1"])
  }
}
