import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Plans that begin later than the frame that applies them. A frame is 0.01 s.
struct DelayTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func commit(_ change: (inout Transaction) -> Void) throws {
    var transaction = Transaction()
    change(&transaction)
    try scene.runtime.commit(transaction)
  }

  private func states() throws -> [String] { try scene.intentions().map { "\($0.identity) \($0.state)" } }

  // Clauses: S8.54
  @Test func `a plan begins with the first frame at its time, and needs no frame until then`() throws {
    try scene.add(.springTo("x", 1).after(0.055))
    scene.advance()
    #expect(try states() == ["1.0 waiting"])
    #expect(try scene.intentions().first?.begins == 0.065)
    #expect(!scene.runtime.wantsFrames && !scene.runtime.isActive && scene.runtime.nextDueTime == 0.065)
    scene.advance(5)
    #expect(try states() == ["1.0 waiting"])
    scene.advance()
    #expect(try states() == ["1.0 added"] && scene.runtime.wantsFrames && scene.runtime.nextDueTime == nil)
    #expect(try scene.intentions().first?.begins == nil)
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 1)
  }

  // Clauses: S8.54
  @Test func `until then what moves the property goes on, and the plan takes it over with its velocity`() throws {
    try scene.add(.springTo("x", 1))
    let other = try Scene()
    try other.add(.springTo("x", 1))
    try scene.add(.moveTo("x", 0, maxVelocity: 10, maxAcceleration: 100, maxJerk: 1e12).after(0.1))
    for _ in 0..<10 {
      scene.advance()
      other.advance()
      #expect(scene.value() == other.value() && scene.velocity() == other.velocity())
    }
    #expect(scene.ended() == [])
    let (value, velocity) = (scene.value(), scene.velocity())
    scene.advance()
    #expect(abs(scene.velocity() - velocity) <= 100 * 0.01 + 1e-9, "no jump of the velocity")
    #expect(abs(scene.value() - value) < 0.11)
    #expect(scene.ended() == ["1.0 displaced"])
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 0)
  }

  // Clauses: S8.55
  @Test(arguments: [false, true])
  func `flash, then return: of one transaction, the later plans follow in the order of their times`(
    isReversed: Bool
  ) throws {
    let plans = [
      Intention.springTo("x", 1000), .springTo("x", 500).after(0.3), .springTo("x", 0).after(0.6),
    ]
    try commit { for plan in isReversed ? plans.reversed() : plans { $0.add(plan, to: "ball") } }
    scene.advance(29)
    #expect(abs(scene.value() - 1000) < 50)
    scene.advance(30)
    #expect(abs(scene.value() - 500) < 50)
    scene.advance(31)
    #expect(abs(scene.value()) < 50)
    #expect(Set(scene.ended().map { $0.suffix(9) }).isSubset(of: ["completed", "displaced"]))
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 0 && scene.runtime.counts.intentions == 0)
  }

  // Clauses: S8.55
  @Test func `a later commit for the property ends a one-shot that waits, and no standing plan`()
    throws
  {
    try scene.add(.springTo("x", 5).after(0.5))
    try scene.add(.tween("y", to: 5).after(0.5))
    try scene.add(.anchoredSpring("z", 5).after(0.5))
    scene.advance()
    try scene.add(.springTo("x", 1))
    try scene.add(.anchoredSpring("y", 1))
    try scene.add(.anchoredSpring("z", 1))
    scene.advance()
    #expect(scene.ended() == ["1.0 displaced", "2.0 displaced"])
    scene.advance(10)
    #expect(try states().contains("3.0 waiting"))
    while scene.runtime.frame.time < 0.55 { scene.advance() }
    scene.runtime.advanceUntilRest()
    #expect(scene.value("x") == 1 && scene.value("y") == 1)
    #expect(scene.value("z") == 3, "two springs with one pull each")
  }

  // Clauses: S8.55
  @Test func `a hand, a lower priority and a plan that drives with it do not end one that waits`() throws {
    try scene.add(.draggable("position"))
    try scene.add(Intention.springTo("x", 5).priority(1).after(0.1))
    try scene.add(.springTo("y", 5).after(0.1))
    scene.advance()
    try scene.add(.springTo("x", 1))
    try scene.add(.friction("y", coefficient: 1), named: "f")
    scene.advance(5)
    #expect(scene.ended() == [])
    scene.advance(10)
    #expect(scene.ended() == ["4.0 displaced"])
    for _ in 0..<2000 where scene.runtime.wantsFrames { scene.advance() }
    #expect(scene.value("x") == 5 && scene.value("y") == 5)
  }

  // Clauses: S8.56
  @Test func `a plan that waits takes its name when it begins`() throws {
    let former = try scene.add(.anchoredSpring("x", 1), named: "n")
    scene.advance()
    let next = try scene.add(.anchoredSpring("x", 0).after(0.2), named: "n")
    scene.advance(10)
    #expect(try scene.intentions().map(\.identity) == [former, next])
    scene.advance(11)
    #expect(try scene.intentions().map(\.identity) == [next])
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 0)
    // Two that wait: each takes the name when it begins.
    let first = try scene.add(.anchoredSpring("x", 2).after(0.1), named: "n")
    let second = try scene.add(.anchoredSpring("x", 0).after(0.2), named: "n")
    scene.advance(12)
    #expect(try scene.intentions().map(\.identity) == [second, first])
    scene.advance(10)
    #expect(try scene.intentions().map(\.identity) == [second])
    // Removed by its name before it begins: both.
    try scene.add(.anchoredSpring("x", 3).after(0.2), named: "n")
    scene.advance()
    var removal = Transaction()
    removal.remove(named: "n", from: "ball")
    #expect(try scene.runtime.commit(removal).counts?.removed == 2)
    scene.advance()
    #expect(try scene.intentions().isEmpty && scene.runtime.nextDueTime == nil)
    // The one that waits is removed by its identity: the other keeps the name.
    let kept = try scene.add(.anchoredSpring("x", 1), named: "n")
    let waiting = try scene.add(.anchoredSpring("x", 2).after(0.2), named: "n")
    scene.advance()
    try commit { $0.remove(waiting, from: "ball") }
    scene.advance()
    #expect(try scene.intentions().map(\.identity) == [kept])
    try scene.remove("n")
    scene.advance()
    #expect(try scene.intentions().isEmpty)
  }

  // Clauses: S8.54
  @Test func `a stop, a forget and a withdrawal end what waits`() throws {
    for end in 0..<3 {
      let scene = try Scene()
      let identity = try scene.add(.springTo("x", 1).after(1))
      scene.advance()
      switch end {
      case 0: scene.runtime.applyNow(.stop(StopRequest(["ball"])))
      case 1: try scene.forget()
      default: scene.runtime.submit(.withdraw([identity.sequence]))
      }
      scene.advance()
      #expect(try scene.intentions().isEmpty && scene.runtime.nextDueTime == nil)
      scene.advance(120)
      #expect(try scene.intentions().isEmpty)
    }
  }

  // Clauses: S8.57
  @Test func `the parts of a composition begin later, also when they were later already`() throws {
    try scene.add(.fadeIn().after(0.2))
    scene.advance()
    #expect(try states() == ["1.0 added", "1.0.0 waiting"])
    #expect(try scene.intentions().last?.begins == 0.01 + 0.2)
    // The worker of the part does not run here: the part is owed to it.
    scene.advance(21)
    #expect(try states() == ["1.0 added", "1.0.0 owed"])
  }

  // Clauses: S8.54
  @Test func `a worker receives the plan when it begins`() throws {
    let worker = scene.worker("tween")
    _ = scene.port.take(worker.address)
    try scene.add(.tween("x", to: 1, duration: .milliseconds(100)).after(0.1))
    scene.advance(10)
    #expect(scene.port.take(worker.address).isEmpty)
    scene.advance()
    #expect(scene.port.take(worker.address) == ["add 1 Tween on ball 1.0"])
  }

  // Clauses: S8.54
  @Test(arguments: [-1, .infinity, .nan, 1e12] as [Double])
  func `a delay that is none is refused`(seconds: Double) throws {
    let refusal = #expect(throws: Refusal.self) { try scene.add(.springTo("x", 1).after(seconds)) }
    #expect(refusal?.code == .value && refusal?.field == "after" && refusal?.operation == 0)
  }

  // Clauses: S8.54, S12.2
  @Test func `what waits goes on waiting behind a checkpoint and a snapshot, to the bit behind a snapshot`() throws {
    try scene.add(.anchoredSpring("x", 1), named: "n")
    try scene.add(.anchoredSpring("x", 0).after(0.3), named: "n")
    try scene.add(.springTo("y", 2).after(0.25), to: "other")
    try scene.add(.moveTo("z", 2, maxVelocity: 3, maxAcceleration: 20, maxJerk: 1e12).after(0.25), to: "other")
    scene.advance(10)
    let (next, same) = (try Scene(), try Scene())
    next.runtime.restore(scene.runtime.checkpoint())
    try same.runtime.restore(try #require(scene.runtime.snapshot()))
    #expect(next.runtime.nextDueTime == scene.runtime.nextDueTime)
    for _ in 0..<60 {
      for each in [scene, next, same] { each.advance() }
      #expect(same.runtime.snapshot() == scene.runtime.snapshot())
    }
    for each in [scene, next, same] {
      each.runtime.advanceUntilRest()
      #expect(each.value() == 0 && each.value("y", on: "other") == 2 && each.value("z", on: "other") == 2)
      #expect(try each.intentions().map(\.identity.sequence) == [2])
    }
  }

  // Clauses: S8.54
  @Test func `of many plans of one time, some begin a frame later`() throws {
    try commit {
      for index in 0..<Drivers.arrivalsPerFrame + 5 { $0.add(.springTo("x", 1).after(0.02), to: .lamp(index)) }
    }
    func waiting() throws -> Int { try scene.intentions().count { $0.state == .waiting } }
    scene.advance(2)
    #expect(try waiting() == Drivers.arrivalsPerFrame + 5)
    scene.advance()
    #expect(try waiting() == 5)
    scene.advance()
    #expect(try waiting() == 0 && scene.runtime.nextDueTime == nil)
  }

  // Clauses: S8.54, S8.36
  @Test func `a large transaction has the same result with staging`() throws {
    let (staged, plain) = (Runtime(), Runtime())
    var transaction = Transaction()
    for index in 0..<1500 {
      let target = TargetName.lamp(index % 700)
      let plan = Intention.springTo("x", Lanes(Double(index)))
      transaction.add(index % 7 == 3 ? plan.after(Double(index % 5) * 0.05) : plan, to: target)
    }
    let check = try TransactionCheck(transaction, in: staged, staging: true)
    while !check.isFinished { try check.advance(100) }
    try staged.commit(check)
    try plain.commit(transaction)
    for _ in 0..<40 {
      for runtime in [staged, plain] { runtime.advance() }
      #expect(staged.checkpoint() == plain.checkpoint())
    }
    #expect(staged.nextDueTime == nil && staged.counts.intentions > 0)
  }

  /// The heap against a sorted list, with removals in between.
  @Test func `plans are due in order of time, then of addition`() {
    var random = SplitMix(seed: TestSeed.value)
    for _ in 0..<50 {
      var delayed = DelayedPlans()
      var expected: [(at: Double, order: UInt64)] = []
      func identity(_ order: UInt64) -> IntentionIdentity { IntentionIdentity(sequence: order, operation: 0) }
      for order in 1...200 as ClosedRange<UInt64> {
        let at = Double(Int.random(in: 0..<30, using: &random))
        delayed.insert(identity(order), order: order, at: at)
        expected.append((at, order))
        expected.sort { ($0.at, $0.order) < ($1.at, $1.order) }
        if Int.random(in: 0..<3, using: &random) == 0, let gone = expected.randomElement(using: &random) {
          delayed.remove(order: gone.order)
          expected.removeAll { $0.order == gone.order }
        }
        if Int.random(in: 0..<8, using: &random) == 0 {
          let time = Double(Int.random(in: 0..<10, using: &random))
          var taken: [IntentionIdentity] = []
          while let next = delayed.take(dueAt: time) { taken.append(next) }
          #expect(taken == expected.filter { $0.at <= time }.map { identity($0.order) }, "seed \(TestSeed.value)")
          expected.removeAll { $0.at <= time }
        }
        #expect(delayed.earliest == expected.first?.at, "seed \(TestSeed.value)")
      }
    }
  }
}
