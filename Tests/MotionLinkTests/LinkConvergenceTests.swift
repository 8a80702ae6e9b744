import MotionTestKit
import MotionWire
import Testing

@testable import MotionLink

/// Whatever the faults of the network: once they end, both ends agree, and nothing was done twice or out of order on
/// the way.
@Suite(.timeLimit(.minutes(5))) struct LinkConvergenceTests {
  @Test func bothEndsAgreeOnAPerfectNetwork() {
    var world = LinkWorld(seed: 1, faults: .none)
    for step in 0..<200 {
      if step % 10 == 0 { world.want() }
      if step % 7 == 0 { world.happen() }
      world.runFrame()
      world.pass(.milliseconds(5))
    }
    world.pass(.milliseconds(5))
    world.pass(.milliseconds(5))
    #expect(world.failures == [])
    #expect(world.difference == nil)
    #expect(world.provisioned == 1)
    #expect(world.coordinator.counters == LinkCounters())
    #expect(world.namedShapes > 100, "\(world.namedShapes) updates of 200 named a shape")
  }

  // Clauses: S14.1, S14.2, S14.3, S14.4, S14.5, S14.6
  @Test func bothEndsAgreeAfterAnySchedule() {
    let seed = SeededRandom.seed(of: "LinkConvergenceTests")
    var random = SeededRandom(seed: seed)
    var named = 0
    for schedule in 0..<SeededRandom.rounds(3000) {
      let (failures, difference) = Self.run(seed: random.next(), named: &named)
      guard failures.isEmpty, difference == nil else {
        Issue.record("seed \(seed), schedule \(schedule): \(failures.prefix(3)) \(difference ?? "")")
        return
      }
    }
    #expect(named > 1000, "so few updates named a shape")
  }

  @Test func `a worker suspended for long is replaced, and its late messages are dropped`() {
    var world = LinkWorld(seed: 2, faults: .none)
    for _ in 0..<20 { world.pass(.milliseconds(5)) }
    world.want()
    world.workers[0].stoppedUntil = world.clock.now + .seconds(8)
    while world.life.incarnation == 1 { world.pass(.milliseconds(5)) }
    #expect(world.clock.now < world.workers[0].stoppedUntil)
    for _ in 0..<2000 { world.pass(.milliseconds(5)) }
    #expect(world.failures == [])
    #expect(world.difference == nil)
    #expect(world.foreign > 0)
  }

  @Test func `a coordinator suspended for five seconds fences no worker`() {
    var world = LinkWorld(seed: 3, faults: .none)
    for _ in 0..<20 { world.pass(.milliseconds(5)) }
    world.setActive(true)
    world.coordinatorStoppedUntil = world.clock.now + .seconds(5)
    for _ in 0..<2000 { world.pass(.milliseconds(5)) }
    #expect(world.life == LinkWorld.Life(epoch: 1, incarnation: 1))
    #expect(world.failures == [])
    #expect(world.difference == nil)
  }

  @Test func `a worker of an earlier coordinator exits`() {
    var world = LinkWorld(seed: 4, faults: .none)
    for _ in 0..<20 { world.pass(.milliseconds(5)) }
    world.restartCoordinator()
    #expect(world.workers.count == 2)
    for _ in 0..<20 { world.pass(.milliseconds(5)) }
    #expect(world.workers.map(\.life.epoch) == [2])
    #expect(world.difference == nil)
  }

  /// One schedule: two virtual seconds of faults, then up to a minute with a correct network.
  ///
  /// - Parameter trace: writes down what the worker's ends do.
  static func run(
    seed: UInt64, trace: LinkTrace? = nil, named: inout Int
  ) -> (failures: [String], difference: String?) {
    var random = SeededRandom(seed: seed)
    var faults = InMemoryLink<Envelope>.Faults(
      drop: random.chance(0.3) ? 0 : Double.random(in: 0...0.5, using: &random),
      repeat: Double.random(in: 0...0.3, using: &random),
      delay: .zero ... .milliseconds(Int.random(in: 0...60, using: &random)))
    if random.chance(0.2) { faults.limit = Int.random(in: 1...8, using: &random) }
    var world = LinkWorld(seed: random.next(), faults: faults, trace: trace)
    let (restarts, breaks) = (random.chance(0.5), random.chance(0.4))
    for _ in 0..<100 {
      trouble(&world, &random, restarts: restarts)
      if breaks { disturb(&world, &random) }
      world.pass(.milliseconds(20))
    }
    world.use(.none)
    world.plugIn()
    for _ in 0..<600 where !world.hasConverged {
      world.runFrame()
      for _ in 0..<2 { world.pass(.milliseconds(50)) }
    }
    named += world.namedShapes
    return (world.failures, world.difference)
  }

  private static func trouble(_ world: inout LinkWorld, _ random: inout SeededRandom, restarts: Bool) {
    let stopped = world.clock.now < world.coordinatorStoppedUntil
    if random.chance(0.3) && !stopped { world.want() }
    if random.chance(0.4) { world.happen() }
    if random.chance(0.5) && !stopped { world.runFrame() }
    if random.chance(0.02) && !stopped { world.setActive(random.chance(0.5)) }
    guard restarts else { return }
    if random.chance(0.005) { world.restartWorker() }
    if random.chance(0.002) { world.restartCoordinator() }
    let pause = Duration.milliseconds(Int.random(in: 100...3000, using: &random))
    if random.chance(0.005) { world.coordinatorStoppedUntil = world.clock.now + pause }
    if random.chance(0.005), let index = world.current { world.workers[index].stoppedUntil = world.clock.now + pause }
  }

  /// Breaks connections and restores them, and pulls cables, in one direction or both.
  private static func disturb(_ world: inout LinkWorld, _ random: inout SeededRandom) {
    if random.chance(0.01) {
      world.breakConnection(for: .milliseconds(Int.random(in: 0...2000, using: &random)))
    }
    if random.chance(0.02) {
      world.events.isCut = random.chance(0.5)
      world.toCoordinator.isCut = world.events.isCut
    }
    if random.chance(0.02) {
      world.commands.isCut = random.chance(0.5)
      world.ticks.isCut = world.commands.isCut
      world.toWorkers.isCut = world.commands.isCut
    }
  }
}

extension LinkWorld {
  /// Plugs in all cables.
  fileprivate mutating func plugIn() {
    events.isCut = false
    toCoordinator.isCut = false
    commands.isCut = false
    ticks.isCut = false
    toWorkers.isCut = false
  }
}
