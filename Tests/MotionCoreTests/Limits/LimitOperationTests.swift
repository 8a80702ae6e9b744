import MotionModel
import Testing

@testable import MotionCore

/// The operation that limits a property.
struct LimitOperationTests {
  private let limits = PropertyLimits(range: .init(-1, 1), velocity: 2, acceleration: 8)

  // Clauses: S19.1
  @Test func limitMayPrecedeThePropertyAndOutlastsIt() throws {
    let head = LimitedRuntime()
    try head.limit(limits)
    head.advance()
    #expect(head.runtime.counts.targets == 0)
    try head.add(.springTo("angle", 5))
    head.advance(200, keeping: limits)
    #expect(head.state == PropertyState(1))
    #expect(head.row?.limits == .limits(limits))
    try head.commit { $0.forget("head") }
    head.advance()
    #expect(head.runtime.counts.targets == 0)
    try head.add(.springTo("angle", -5))
    head.advance(200, keeping: limits)
    #expect(head.state == PropertyState(-1))
  }

  // Clauses: S19.1
  @Test func laterLimitReplacesTheFormerOneWhole() throws {
    let head = LimitedRuntime()
    try head.limit(limits)
    try head.limit(PropertyLimits(velocity: 30))
    try head.add(.springTo("angle", 5))
    head.advance(200, keeping: PropertyLimits(velocity: 30))
    #expect(head.state == PropertyState(5))
    #expect(head.row?.limits == .limits(PropertyLimits(velocity: 30)))
  }

  // Clauses: S19.1
  @Test func eachLaneMayHaveItsOwnLimit() throws {
    let head = LimitedRuntime(property: "position")
    let limits = PropertyLimits(range: .init([0, -2], [4, 2]), velocity: [3, 1], acceleration: 20)
    try head.limit(limits)
    try head.add(.springTo("position", [10, 10]))
    head.advance(40, keeping: limits)
    #expect(abs(head.state.velocity[0] - 3) < 1e-9 && abs(head.state.velocity[1] - 1) < 1e-9)
    head.advance(400, keeping: limits)
    #expect(head.state == PropertyState([4, 2]))
  }

  // Clauses: S19.2
  @Test func limitsWithoutARangeKeepTheNaturalOneAndNoneLiftsIt() throws {
    let head = LimitedRuntime(property: "opacity")
    try head.add(.springTo("opacity", 3))
    head.advance(200)
    #expect(head.state.value == 1)
    try head.limit(PropertyLimits(velocity: 2))
    try head.add(.springTo("opacity", -3))
    head.advance(200, keeping: PropertyLimits(range: .init(0, 1), velocity: 2))
    #expect(head.state.value == 0)
    try head.commit { $0.liftLimits("opacity", of: "head") }
    try head.add(.springTo("opacity", 3))
    head.advance(200)
    #expect(head.state.value == 3 && head.row?.limits == LimitSetting.none)
    try head.limit(PropertyLimits())
    try head.add(.springTo("opacity", 4))
    head.advance(200)
    #expect(head.state.value == 1 && head.row?.limits == nil)
  }

  // Clauses: S19.3
  @Test(arguments: [
    (PropertyLimits(velocity: 0), "velocity"), (PropertyLimits(acceleration: -1), "acceleration"),
    (PropertyLimits(jerk: 1e-200), "jerk"), (PropertyLimits(velocity: 1e101), "velocity"),
    (PropertyLimits(range: .init(2, 1)), "range"), (PropertyLimits(range: .init([0, 3], [1, 2])), "range"),
    (PropertyLimits(velocity: [1, 2], jerk: [1, 2, 3]), "jerk"),
  ])
  func impossibleLimitsAreRefusedWithTheirField(limits: PropertyLimits, field: String) throws {
    let head = LimitedRuntime()
    let refusal = #expect(throws: Refusal.self) { try head.limit(limits) }
    #expect(refusal?.operation == 0 && refusal?.field == field && refusal?.remedy.isEmpty == false)
  }

  // Clauses: S19.3, S19.16
  @Test func placeOutsideTheRangeThatWillHoldIsRefused() throws {
    let lamp = LimitedRuntime(property: "opacity")
    let refusal = try #require(throws: Refusal.self) { try lamp.limit(PropertyLimits(onLost: .rest(5))) }
    #expect(refusal.field == "onLost" && refusal.message == "5 is outside the range, 0 to 1")
    #expect(throws: Refusal.self) { try lamp.limit(PropertyLimits(range: .init(0, 4), onLost: .rest(5))) }
    try lamp.limit(PropertyLimits(onLost: .rest(1)))
    try lamp.limit(PropertyLimits(range: .init(0, 9), onLost: .rest(5)))
    try LimitedRuntime().limit(PropertyLimits(onLost: .rest(5)))
  }

  // Clauses: S19.3
  @Test func limitsWithOtherLanesThanThePropertyAreRefused() throws {
    let head = LimitedRuntime()
    try head.add(.springTo("angle", 1))
    head.advance()
    #expect(throws: Refusal.self) { try head.limit(PropertyLimits(velocity: [1, 2])) }
    #expect(throws: Refusal.self) {
      try head.commit {
        $0.add(.springTo("pair", [1, 2]), to: "head")
        $0.limit("pair", of: "head", PropertyLimits(velocity: [1, 2, 3]))
      }
    }
    // The limits come first: then they determine the lanes.
    try head.commit { $0.limit("pair", of: "head", PropertyLimits(velocity: [1, 2])) }
    head.advance()
    #expect(throws: Refusal.self) { try head.add(.springTo("pair", [1, 2, 3])) }
    try head.add(.springTo("pair", [1, 2]))
  }

  // Clauses: S19.15
  @Test func limitsThatTheirFrameCannotSetAreReported() throws {
    let head = LimitedRuntime(property: "pair")
    head.runtime.log.keeps = .endings
    // Nothing has applied the plan when the limits are checked: they could still determine the lanes.
    let desk = Provenance(Committer(name: "desk"), wallTime: 1)
    var transaction = Transaction()
    transaction.add(.springTo("pair", [1, 2, 3]), to: "head")
    try head.runtime.commit(transaction)
    transaction = Transaction()
    transaction.remove(named: "other", from: "head")
    transaction.limit("pair", of: "head", PropertyLimits(velocity: [1, 2]))
    let sequence = head.runtime.apply(try head.runtime.accept(transaction, by: desk)).sequence
    head.advance()
    let failed = head.runtime.log.take().flatMap(\.failedLimits)
    #expect(failed.count == 1)
    let limits = try #require(failed.first)
    #expect(limits.reference == PropertyReference("head", "pair") && limits.provenance == desk)
    #expect(limits.sequence == sequence && limits.operation == 1 && limits.frame == 1)
    #expect(limits.reason.contains("2 lanes") && limits.reason.contains("3"))
    #expect(head.row?.limits == nil && head.runtime.checkpoint().limits.isEmpty)
    head.advance(300)
    #expect(head.state == PropertyState([1, 2, 3]))
  }

  // Clauses: S19.12
  @Test func moveUsesTheLimitsOfItsProperty() throws {
    let limits = PropertyLimits(velocity: 2, acceleration: 8, jerk: 60)
    let head = LimitedRuntime()
    #expect(throws: Refusal.self) { try head.add(.moveTo("angle", 1)) }
    try head.commit {
      $0.limit("angle", of: "head", limits)
      $0.add(.moveTo("angle", 1), to: "head")
    }
    var farthest = 0.0
    for _ in 0..<100 {
      head.advance(keeping: limits)
      // Never held back: the move keeps the limits itself.
      #expect(head.row?.demand == nil)
      farthest = max(farthest, head.state.velocity[0])
    }
    #expect(head.state == PropertyState(1) && head.runtime.counts.intentions == 0)
    #expect(farthest > 1.2)
  }

  // Clauses: S19.12
  @Test func moveKeepsTheLimitsOfItsBeginning() throws {
    let head = LimitedRuntime()
    try head.commit {
      $0.limit("angle", of: "head", PropertyLimits(velocity: 1, acceleration: 8, jerk: 60))
      $0.add(.moveTo("angle", 1), to: "head")
    }
    head.advance(20)
    let other = Runtime(ratePerSecond: 100)
    try head.limit(PropertyLimits(velocity: 50, acceleration: 800, jerk: 60_000))
    head.advance()
    other.restore(head.runtime.checkpoint())
    let restored = LimitedRuntime(other)
    for _ in 0..<150 {
      head.advance()
      restored.advance()
      #expect(head.state == restored.state && head.state.velocity[0] <= 1 + 1e-9)
    }
    #expect(head.state == PropertyState(1))
  }
}
