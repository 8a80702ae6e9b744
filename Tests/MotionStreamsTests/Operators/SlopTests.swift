import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct SlopTests {
  private func letter(_ event: SlopEvent) -> String { event == .onExit ? "e" : "r" }

  // Clauses: S3.3, S3.27
  @Test func `slop emits nothing until the first exit, then each change, for each subscription`() {
    #expect(
      marbles("1-4-6-7-2-9", second: 7, show: letter) { $0.slop(size: 4) } == """
        1-4-6-7-2-9
        .slop(size: 4.0)
        ----e---r-e
        ----------e
        ^------^---(!!)
        """)
  }

  // Clauses: S3.27
  @Test func `slop ignores the sign of value and size`() {
    let values = MotionSubject<Double>()
    var heard: [SlopEvent] = []
    let subscription = values.asStream().slop(size: -4).subscribe { heard.append($0) }
    for value in [-4, -5, 5, -1, .nan] { values.next(value) }
    #expect(heard == [.onExit, .onReturn])
    subscription.unsubscribe()
  }
}
