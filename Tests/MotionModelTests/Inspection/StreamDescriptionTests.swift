import MotionModel
import Testing

struct StreamDescriptionTests {
  private func plan(_ number: UInt64, _ calls: [String]) -> StreamReport.Plan {
    StreamReport.Plan(IntentionIdentity(sequence: number, operation: 0), [StreamDescription("x", calls: calls)])
  }

  @Test func `a description is bounded and escaped`() {
    let long = String(repeating: "\u{1B}", count: Limits.streamCallBytes)
    let stream = StreamDescription("x", calls: [long] + Array(repeating: "dedupe()", count: 100))
    #expect(stream.calls.count == Limits.callsPerStream)
    #expect(stream.calls.last == "…")
    #expect(stream.calls[0].hasPrefix(#"\u{1B}\u{1B}"#) && stream.calls[0].hasSuffix("…"))
    #expect(stream.calls[0].utf8.count <= Limits.streamCallBytes)
    #expect(StreamDescription("x", calls: stream.calls) == stream, "doing it again changes nothing")
    #expect(stream.bytes > stream.calls.reduce(0) { $0 + $1.utf8.count })
  }

  @Test func `an argument's bytes include its place`() {
    let place = StreamDescription.Place(stream: .max, call: .max)
    let argument = StreamDescription(.argument(of: place), following: place, calls: ["swing"])
    #expect(argument.property == nil && argument.bytes >= 40 + "swing".utf8.count)
    #expect(StreamDescription("x", calls: ["swing"]).property == "x")
  }

  @Test func `a plan's streams are bounded`() {
    let stream = StreamDescription("x", calls: ["swing"])
    let plan = StreamReport.Plan(
      IntentionIdentity(sequence: 1, operation: 0), Array(repeating: stream, count: Limits.streamsPerIntention + 1))
    #expect(plan.streams.count == Limits.streamsPerIntention)
  }

  @Test func `a report contains the plans that fit, and states when it is cut`() {
    let small = StreamReport((1...3).map { plan($0, ["swing"]) })
    #expect(small.plans.count == 3 && !small.isCut)
    let many = StreamReport((1...UInt64(Limits.plansPerStreamReport + 1)).map { plan($0, ["swing"]) })
    #expect(many.plans.count == Limits.plansPerStreamReport && many.isCut)
    let call = String(repeating: "x", count: Limits.streamCallBytes)
    let large = StreamReport((1...1000).map { plan($0, Array(repeating: call, count: 16)) })
    #expect(large.plans.count > 25 && large.plans.count < 32 && large.isCut)
    #expect(StreamReport([plan(1, ["swing"])], isCut: true).isCut)
  }
}
