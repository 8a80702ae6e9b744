import MotionModel
import Testing

@testable import MotionCoordinator

struct SuspicionTests {
  // Clauses: S15.1
  @Test func `one bad intention among many is found, whatever it does, and no other is given up`() {
    for seed in UInt64(1)...400 {
      var world = SuspicionWorld(seed: seed)
      let bad = world.populate(1...200, bad: 1)
      world.run()
      #expect(world.quarantinedPlans == bad, "seed \(seed)")
      #expect(!world.isGivenUp, "seed \(seed): \(world.deaths) deaths")
      #expect(world.withheld == nil, "seed \(seed)")
      #expect(Set(world.held) == world.all.subtracting(bad), "seed \(seed): everybody else is served")
      // Two deaths that cause suspicion, and one for each halving.
      #expect(world.deaths <= 2 + 10, "seed \(seed): \(world.deaths)")
    }
  }

  @Test func `several bad intentions are found one after the other`() {
    for seed in UInt64(1)...200 {
      var world = SuspicionWorld(seed: seed)
      let bad = world.populate(20...60, bad: 3)
      world.run()
      #expect(world.quarantinedPlans == bad, "seed \(seed)")
      #expect(!world.isGivenUp, "seed \(seed)")
      #expect(world.withheld == nil, "seed \(seed)")
      #expect(Set(world.held) == world.all.subtracting(bad), "seed \(seed)")
    }
  }

  // Clauses: S15.2
  @Test func `a worker that dies on every intention is quarantined after five`() {
    for seed in UInt64(1)...100 {
      var world = SuspicionWorld(seed: seed)
      world.populate(20...60, bad: 1000)
      world.run()
      #expect(world.isGivenUp, "seed \(seed)")
      #expect(world.withheld == nil, "seed \(seed): nothing is withheld from whoever comes after")
      #expect(world.quarantinedPlans.count == Suspicion.quarantinesAllowed, "seed \(seed)")
    }
  }

  // Clauses: S15.2
  @Test func `repeated kills from outside make no intention suspect`() {
    for seed in UInt64(1)...200 {
      var world = SuspicionWorld(seed: seed)
      world.populate(1...50, bad: 0)
      world.killings = 20
      world.run()
      #expect(world.quarantinedPlans.isEmpty, "seed \(seed)")
      #expect(Set(world.held) == world.all, "seed \(seed)")
    }
  }

  // Clauses: S15.2
  @Test func `a plugin that dies soon after each start is quarantined, and no intention is given up`() {
    for seed in UInt64(1)...200 {
      var world = SuspicionWorld(seed: seed)
      world.populate(1...50, bad: 0)
      world.diesByItself = true
      world.run()
      #expect(world.quarantinedPlans.isEmpty, "seed \(seed)")
      #expect(world.isGivenUp, "seed \(seed)")
      #expect(world.withheld == nil, "seed \(seed): nothing is withheld from whoever comes after")
    }
  }

  @Test func `kills from outside do not disturb a bisection`() {
    for seed in UInt64(1)...300 {
      var world = SuspicionWorld(seed: seed)
      let bad = world.populate(1...50, bad: 1)
      world.killings = 3
      world.run()
      #expect(world.quarantinedPlans == bad || world.isGivenUp, "seed \(seed)")
      #expect(world.quarantinedPlans.isSubset(of: bad), "seed \(seed)")
    }
  }

  @Test func `a death long after the last intention makes none suspect`() {
    var suspicion = Suspicion()
    let identity = IntentionIdentity(sequence: 1, operation: 0)
    for _ in 0..<4 {
      suspicion.handed(identity, command: 1, at: .zero)
      suspicion.acknowledged(1, at: .milliseconds(10))
      let verdict = suspicion.died(at: .seconds(1.5), evidence: "it fell", isLive: { _ in true })
      #expect(verdict == Suspicion.Verdict())
      #expect(suspicion.stage == .calm)
    }
  }

  @Test func `no intention is withheld after a bisection that was abandoned`() {
    var suspicion = Suspicion()
    let identity = IntentionIdentity(sequence: 1, operation: 0)
    for death in 1...2 {
      suspicion.handed(identity, command: 1, at: .zero)
      let verdict = suspicion.died(at: .milliseconds(1), evidence: "it fell", isLive: { _ in true })
      #expect(verdict.actions == (death == 2 ? [.withhold([identity])] : []))
    }
    #expect(suspicion.end() == [.withhold(nil)])
    #expect(suspicion.end() == [])
    #expect(suspicion.stage == .calm)
  }
}
