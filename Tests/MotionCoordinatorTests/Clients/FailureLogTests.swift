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
  @Test func `a failed plan is logged with its reason and its client, another is not`() {
    var log = FailureLog()
    let desk = Provenance(Committer(name: "desk", user: 7, process: 4711), wallTime: 1)
    func lines(_ ended: [EndedIntention]) -> [String] {
      log.lines(about: ended, at: .zero) { $0.sequence == 49 ? desk : nil }.map(\.text)
    }
    #expect(lines([ended(49, .completed), ended(49, .displaced)]).isEmpty)
    let text = "plan 49.2 \"fade\" (Tween) on lamp failed in frame 7: no way; "
    #expect(lines([ended(49)]) == [text + "committed by desk (user 7, process 4711)"])
    #expect(lines([ended(50)]).last?.hasSuffix("committed by an unknown client") == true)
    #expect(lines([ended(50, .failed, "a\u{1b}b\nc")]).allSatisfy { !$0.contains("\u{1b}") && !$0.contains("\n") })
    // A failure that a start has logged is not logged again with the first frame.
    log.noteLogged([ended(51).identity])
    #expect(lines([ended(51)]).isEmpty)
    #expect(lines([ended(51)]).count == 1)
  }

  // Clauses: S19.15
  @Test func `limits that could not be set are logged with property, reason and client`() {
    var log = FailureLog()
    let failed = FailedLimits(
      PropertyReference("lamp", "x"), sequence: 49, operation: 2, frame: 7, reason: "no way",
      by: Provenance(Committer(name: "desk", user: 7, process: 4711), wallTime: 1))
    let lines = log.lines(about: [failed], at: .zero)
    #expect(
      lines == [
        FailureLog.Line(
          text: "the limits of lamp/x (transaction 49, operation 2) failed in frame 7: no way; "
            + "committed by desk (user 7, process 4711)", target: "lamp")
      ])
    #expect(log.lines(about: Array(repeating: failed, count: 1000), at: .zero).count == FailureLog.linesPerSecond - 1)
  }

  // Clauses: S8.38
  @Test func `many failures at once are logged in few lines, and the others are counted`() {
    var log = FailureLog()
    let most = FailureLog.linesPerSecond
    func lines(_ ended: [EndedIntention], _ second: Int) -> [String] {
      log.lines(about: ended, at: .seconds(second)) { _ in nil }.map(\.text)
    }
    #expect(lines((1...1000).map { ended($0) }, 3).count == most)
    let next = lines([ended(100_000), ended(1)], 4)
    #expect(next.first?.hasSuffix("(and \(1000 - most) more since the last such line)") == true)
  }
}
