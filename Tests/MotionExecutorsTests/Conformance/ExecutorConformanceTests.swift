import MotionModel
import MotionTestKit
import Testing

/// The suite finds the faults that it claims to find: each fault breaks the rule for it.
@Suite(.serialized) struct ExecutorConformanceTests {
  private func broken(by fault: FaultyMover.Fault, of plan: Intention) -> Set<ExecutorConformance.Rule> {
    let bad = Intention("Move", [.init("property", .property("level")), .init("duration", .number(0))])
    let conformance = ExecutorConformance(plans: [plan], refused: [bad], timeout: 256) {
      RecordingExecutorHost(FaultyMover.declaration(fault), properties: ["level": PropertyState(0)])
    }
    return Set(conformance.violations().map(\.rule))
  }

  private let move = Intention("Move", [.init("property", .property("level"))])
  private let glide = Intention("Glide", [.init("property", .property("level"))])

  @Test func `a correct executor has no violations`() {
    #expect(broken(by: .none, of: move) == [])
    #expect(broken(by: .none, of: glide) == [])
  }

  @Test(arguments: [
    (FaultyMover.Fault.differsEachTime, ExecutorConformance.Rule.repeatable),
    (.writesNaN, .writesWhatItMay), (.writesForeign, .writesWhatItMay), (.lags, .velocityIsTheValuesOwn),
    (.jumps, .velocityIsTheValuesOwn), (.ignoresStart, .velocityIsTheValuesOwn), (.countsFrames, .independentOfFrames),
    (.finishesTwice, .finishesOnce), (.endsInMotion, .finishesOnce), (.neverFinishes, .finishesOnce),
    (.keepsEarlier, .laterOneShotDisplaces), (.keepsToken, .endsItsTokens),
    (.removesAnything, .ignoresUnknownRemovals), (.writesAfterRemoval, .silentAfterRemoval),
    (.activeAfterRemoval, .silentAfterRemoval), (.writesWhenDisplaced, .silentWhenDisplaced),
    (.keepsRefused, .refusesWithoutTrace), (.slowUnderName, .namedAsUnnamed), (.forgetsName, .namedAsUnnamed),
  ]) func `faults of one-shots violate their rule`(fault: FaultyMover.Fault, rule: ExecutorConformance.Rule) {
    #expect(broken(by: fault, of: move).contains(rule))
  }

  @Test(arguments: [
    (FaultyMover.Fault.finishesStanding, ExecutorConformance.Rule.finishesOnce),
    (.writesWhenDisplaced, .silentWhenDisplaced), (.keepsItsPlace, .resumesFromState),
    (.keepsToken, .endsItsTokens), (.writesAfterRemoval, .silentAfterRemoval),
  ]) func `faults of standing plans violate their rule`(fault: FaultyMover.Fault, rule: ExecutorConformance.Rule) {
    #expect(broken(by: fault, of: glide).contains(rule))
  }

  @Test func `a violation names its rule, plan, property and time`() throws {
    let conformance = ExecutorConformance(plans: [move]) {
      RecordingExecutorHost(FaultyMover.declaration(.writesForeign), properties: ["level": PropertyState(0)])
    }
    let violation = try #require(conformance.violations(of: .writesWhatItMay, by: move).first)
    #expect(
      violation.description == "writes-what-it-may, Move: a write of other at 0.001953125 s is refused: "
        + "no plan writes other")
  }
}
