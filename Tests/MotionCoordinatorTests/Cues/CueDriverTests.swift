import MotionCore
import MotionModel
import Testing

@testable import MotionCoordinator

/// What lists of cues do by themselves, and what follows when that is refused.
struct CueDriverTests {
  private let runtime = Runtime(ratePerSecond: 100)
  private var driver = CueDriver()

  private func commit(_ change: (inout Transaction) -> Void) throws {
    var transaction = Transaction()
    change(&transaction)
    try runtime.commit(transaction)
  }

  /// A list that goes on at once.
  private func go() throws {
    try commit { $0.load(CueList([CueList.Cue("1", follow: 0), CueList.Cue("2"), CueList.Cue("3")]), as: "main") }
    try commit { $0.cue("main", .go) }
    runtime.advance()
  }

  // Clauses: S23.8
  @Test mutating func `a step that is not applied is taken again a second later`() throws {
    try go()
    let step = try #require(driver.due(in: runtime, at: .seconds(10)).first)
    #expect(
      step.step == .due(2) && step.commit.client == "cue list" && step.commit.transaction.cueSteps == [0: .due(2)])
    #expect(driver.due(in: runtime, at: .milliseconds(10_500)).isEmpty && driver.deadline == .seconds(11))
    let again = try #require(driver.due(in: runtime, at: .seconds(11)).first)
    // A new transaction: the first may have been taken back.
    #expect(again.step == step.step && again.commit.id != step.commit.id)
    try runtime.commit(again.commit.transaction)
    runtime.advance()
    #expect(driver.due(in: runtime, at: .seconds(12)).isEmpty && driver.deadline == nil)
  }

  // Clauses: S23.8
  @Test mutating func `a refusal that may pass is waited for, and another leaves out what the cue does`() throws {
    try go()
    let step = try #require(driver.due(in: runtime, at: .zero).first)
    func remedy(_ code: Refusal.Code, _ step: CueDriver.Step) -> CueDriver.Remedy {
      driver.remedy(for: step, Refusal(code, "no"), in: runtime)
    }
    for code in [Refusal.Code.storage, .limit, .held, .stopping] {
      guard case .later = remedy(code, step) else {
        Issue.record("\(code) is not waited for")
        continue
      }
    }
    guard case .without(let without) = remedy(.notFound, step), case .missing(.due(2), let reason) = without.step,
      !reason.isEmpty
    else {
      Issue.record("the cue is not left out")
      return
    }
    guard case .later = remedy(.notFound, without) else {
      Issue.record("it is left out again and again")
      return
    }
    try runtime.commit(without.commit.transaction)
    guard case .none = remedy(.notFound, step) else {
      Issue.record("a step that is over is not forgotten")
      return
    }
  }
}
