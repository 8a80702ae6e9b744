import MotionModel
import Testing

@testable import MotionCoordinator

struct FailureLogTests {
  private func ended(_ sequence: UInt64, _ outcome: Outcome = .failed, _ reason: String = "no way") -> EndedIntention {
    EndedIntention(
      identity: IntentionIdentity(sequence: sequence, operation: 2), target: "lamp", type: "Tween", name: "fade",
      frame: 7, outcome: outcome, reason: reason)
  }

  // Clauses: S8.38
  @Test func `a failed plan is told of with its reason and its client, another is not`() {
    var log = FailureLog()
    log.committed(49, by: 0xbeef)
    #expect(log.lines(about: [ended(49, .completed), ended(49, .displaced)], at: .zero).isEmpty)
    let text = "plan 49.2 \"fade\" (Tween) on lamp failed in frame 7: no way; "
    #expect(log.lines(about: [ended(49)], at: .zero).map(\.text) == [text + "committed by the client beef"])
    #expect(log.lines(about: [ended(50, .failed, "a\u{1b}b\nc")], at: .zero).allSatisfy { !$0.text.contains("\u{1b}") })
  }

  // Clauses: S8.38
  @Test func `many failures at once write few lines, and the rest is counted`() {
    var log = FailureLog()
    for sequence in 1...100_000 as ClosedRange<UInt64> { log.committed(sequence, by: sequence) }
    let most = FailureLog.linesPerSecond
    #expect(log.lines(about: (1...1000).map { ended($0) }, at: .seconds(3)).count == most)
    let next = log.lines(about: [ended(100_000), ended(1)], at: .seconds(4)).map(\.text)
    #expect(next.first?.hasSuffix("client 186a0 (\(1000 - most) more plans failed since the last such line)") == true)
    #expect(next.last?.hasSuffix("its client is not known any more") == true)
  }
}
