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

  // Clauses: S15.1
  /// The decisive case against quarantining the newest exposed intention; see ``Suspicion``.
  @Test(arguments: [1, 2, 20, 40])
  func `a bad intention that is not the newest is given up, and none of the newer ones`(number: UInt64) {
    for seed in UInt64(1)...50 {
      var world = SuspicionWorld(seed: seed)
      let bad = world.populate(40, badNumber: number)
      world.run()
      #expect(world.quarantinedPlans == [bad], "seed \(seed)")
      #expect(!world.isGivenUp, "seed \(seed)")
      // Two deaths that cause suspicion, and one for each halving of forty.
      #expect(world.deaths <= 2 + 6, "seed \(seed)")
    }
  }

  // Clauses: S15.1
  @Test func `an old intention that becomes deadly is given up, and not the one that was added just before`() {
    let all = (1...3).map { IntentionIdentity(sequence: $0, operation: 0) }
    let (deadly, new) = (all[0], all[2])
    var suspicion = Suspicion()
    var now = Duration.seconds(100)
    var (given, withheld, quarantined) = ([IntentionIdentity](), [IntentionIdentity](), [IntentionIdentity]())
    func give(_ identities: [IntentionIdentity]) {
      let command = UInt64(given.count + 1)
      for identity in identities { suspicion.handed(identity, command: command, at: now) }
      given += identities
      now += .milliseconds(3)
      suspicion.acknowledged(command, at: now)
    }
    func obey(_ actions: [Suspicion.Action]) {
      for action in actions {
        switch action {
        case .withhold(let identities): withheld = identities ?? []
        case .quarantine(let identity, _): quarantined.append(identity)
        case .giveUp: Issue.record("the plugin is given up")
        }
      }
    }
    // It serves two for long, and is given a third before the first becomes deadly.
    give(Array(all[..<2]))
    now += .seconds(30)
    give([new])
    now += .milliseconds(300)
    var deaths = 0
    while quarantined.isEmpty, deaths < 10 {
      deaths += 1
      let verdict = suspicion.died(at: now, evidence: "it fell", isLive: { _ in true })
      obey(verdict.actions)
      guard quarantined.isEmpty else { break }
      now += .milliseconds(100)
      suspicion.begins()
      given = []
      give(all.filter { !withheld.contains($0) })
      while !given.contains(deadly), let due = suspicion.nextDeadline {
        now = due
        obey(suspicion.deadline(at: now, lastHeard: now, isLive: { _ in true }))
        give(all.filter { !withheld.contains($0) && !given.contains($0) })
      }
      now += .milliseconds(5)
    }
    #expect(quarantined == [deadly])
    // One that makes the new one suspect, one with it, one without it, and two in halves.
    #expect(deaths <= 5)
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
