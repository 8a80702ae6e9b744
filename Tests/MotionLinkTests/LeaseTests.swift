import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionLink

/// Workers that motiond cannot kill stop by themselves, before another one acts in their place.
@Suite(.timeLimit(.minutes(5))) struct LeaseTests {
  // Clauses: S14.7, S14.8
  @Test func `no two workers act at once with clocks within the margin`() {
    let seed = SeededRandom.seed(of: "LeaseTests")
    var random = SeededRandom(seed: seed)
    var assigned = 0
    let schedules = SeededRandom.rounds(300)
    for schedule in 0..<schedules {
      let (failures, difference, assignments) = Self.run(seed: random.next(), drift: Lease.margin * 0.49)
      assigned += assignments
      guard failures.isEmpty, difference == nil else {
        Issue.record("seed \(seed), schedule \(schedule): \(failures.prefix(3)) \(difference ?? "")")
        return
      }
    }
    #expect(assigned > 2 * schedules, "assignments change hands")
  }

  /// The test above can fail: with clocks that differ by more than the margin two may act.
  @Test func `two workers can act at once with clocks beyond the margin`() {
    var random = SeededRandom(seed: 5)
    #expect((0..<300).contains { _ in !Self.run(seed: random.next(), drift: 0.2).failures.isEmpty })
  }

  /// Four minutes of faults, then a minute without.
  ///
  /// - Parameter trace: writes down what the processes do.
  static func run(
    seed: UInt64, drift: Double, trace: LinkTrace? = nil
  ) -> (failures: [String], difference: String?, assigned: Int) {
    var random = SeededRandom(seed: seed)
    var world = LeaseWorld(
      seed: random.next(), drift: drift,
      faults: .init(
        drop: Double.random(in: 0...0.3, using: &random), repeat: Double.random(in: 0...0.2, using: &random),
        delay: .zero ... .milliseconds(Int.random(in: 0...800, using: &random))),
      trace: trace)
    for _ in 0..<1200 {
      trouble(&world, &random, drift: drift)
      world.pass(.milliseconds(200))
    }
    world.cutOff = []
    (world.toCoordinator.faults, world.toProcesses.faults) = (.none, .none)
    world.coordinatorStoppedUntil = .zero
    for index in world.processes.indices { world.processes[index].stoppedUntil = .zero }
    for _ in 0..<400 { world.pass(.milliseconds(100)) }
    let acting = world.processes.filter { $0.mayAct(at: world.truth) }.map(\.number)
    let serves = acting == [world.holder] && world.link?.state == .ready && world.frame - world.lastApplied < 5
    let holder = "\(String(describing: world.holder)), \(String(describing: world.link?.state))"
    let difference = serves || world.processes.isEmpty ? nil : "\(acting) act, the assignment is with \(holder)"
    return (world.failures, difference, world.assigned)
  }

  private static func trouble(_ world: inout LeaseWorld, _ random: inout SeededRandom, drift: Double) {
    let number = world.processes.randomElement(using: &random)?.number ?? 0
    if random.chance(0.02) { world.cutOff.formSymmetricDifference([number]) }
    if random.chance(0.005) {
      world.kill(number)
      world.startProcess(drift: drift)
    }
    if random.chance(0.01), !world.processes.isEmpty {
      let index = Int.random(in: world.processes.indices, using: &random)
      world.processes[index].stoppedUntil = world.truth + .milliseconds(Int.random(in: 100...30_000, using: &random))
    }
    if random.chance(0.003) { world.restartCoordinator(knowsHolder: random.chance(0.7)) }
    if random.chance(0.003) {
      world.coordinatorStoppedUntil = world.truth + .milliseconds(Int.random(in: 100...30_000, using: &random))
    }
  }

  // MARK: One by one

  // Clauses: S14.7
  @Test func `a lease counts from the sending of the message that renewed it`() {
    var lease = Lease(from: .seconds(100), length: .seconds(15))
    #expect(!lease.isOver(at: .seconds(114)) && lease.isOver(at: .seconds(115)))
    lease.renew(heardSent: 103_000_000_000, seconds: 3, sequence: 2, at: .seconds(105))
    #expect(lease.end == .seconds(106))
    // Older, from the future, without an end, or of no length: no effect.
    lease.renew(heardSent: 104_000_000_000, seconds: 15, sequence: 1, at: .seconds(105))
    lease.renew(heardSent: 102_000_000_000, seconds: 15, sequence: 3, at: .seconds(105))
    lease.renew(heardSent: 105_000_000_001, seconds: 15, sequence: 4, at: .seconds(105))
    lease.renew(heardSent: 105_000_000_000, seconds: .infinity, sequence: 5, at: .seconds(105))
    lease.renew(heardSent: 105_000_000_000, seconds: 0, sequence: 6, at: .seconds(105))
    #expect(lease.end == .seconds(106))
  }

  // Clauses: S14.7
  @Test func `a worker suspended past its lease ignores what it received meanwhile`() {
    var link = WorkerLink.leased(until: Fixture.start + .seconds(15))
    let woken = Fixture.start + .seconds(16)
    let tick = Tick(frame: Fixture.frame(11), lastCommand: 5)
    #expect(link.hear(.tick(tick), at: woken) == [.leaseLost, .exit(.leaseEnded)])
    #expect(link.hear(.command(number: 6, Fixture.command(6)), at: woken) == [])
    #expect(link.state.word == "ended")
    #expect(link.counters.fenced == 2)
    var idle = WorkerLink.leased(until: Fixture.start + .seconds(15))
    #expect(idle.nextDeadline.map { $0 <= Fixture.start + .seconds(15) } == true)
    #expect(idle.deadline(at: woken) == [.leaseLost, .exit(.leaseEnded)])
  }

  // Clauses: S14.9
  @Test func `a broken connection ends a remote life, and not a local one`() {
    var link = WorkerLink.leased(until: Fixture.start + .seconds(15))
    #expect(link.unsubscribed(from: Fixture.topics.events) == [.exit(.disconnected)])
    var local = WorkerLink.serving()
    #expect(local.unsubscribed(from: Fixture.topics.events) == [])
    #expect(local.state.word == "serving")
  }

  // Clauses: S14.8
  @Test func theSecondClaimantWaitsForTheEndOfTheLease() {
    let now = Fixture.start
    var assignment = RemoteAssignment()
    #expect(assignment.claimed(.of(1, 1), at: now) == .assignment)
    #expect(assignment.claimed(.of(1, 1), at: now) == .resend)
    #expect(assignment.claimed(.of(2, 1), at: now) == .taken(until: nil))
    #expect(assignment.claimed(.of(1, 2), at: now) == .assignment)
    #expect(assignment.claimed(.of(1, 1), at: now) == .late)
    assignment.ended(heldUntil: now + .seconds(3))
    #expect(assignment.claimed(.of(2, 1), at: now + .seconds(2)) == .taken(until: now + .seconds(3)))
    #expect(assignment.claimed(.of(2, 1), at: now + .seconds(3)) == .assignment)
    #expect(assignment.claimed(.of(1, 3), at: now + .seconds(3)) == .taken(until: nil))
    assignment.released()
    #expect(assignment.claimed(.of(1, 3), at: now + .seconds(3)) == .assignment)
  }

  // Clauses: S14.8
  @Test func `a new epoch gives the assignment to the last holder at once`() {
    let until = Fixture.start + LinkTiming.network.longestLease
    var known = RemoteAssignment(lastHeldBy: 1, until: until)
    #expect(known.claimed(.of(2, 1), at: Fixture.start) == .taken(until: until))
    #expect(known.claimed(.of(1, 7), at: Fixture.start) == .assignment)
    var unknown = RemoteAssignment(lastHeldBy: nil, until: until)
    #expect(unknown.claimed(.of(1, 7), at: Fixture.start) == .taken(until: until))
    #expect(unknown.claimed(.of(2, 1), at: until) == .assignment)
  }

  @Test func `no lease is longer than the silence limit`() {
    var link = CoordinatorLink.ready(isLeased: true)
    for interval in [0.2, 1, 9] {
      let beat = WorkerHeartbeat(
        commandsApplied: 0, lastEvent: 0, tokens: TokenSet().stableHash, interval: interval)
      let sent = Envelope(
        epoch: Fixture.epoch, incarnation: Fixture.incarnation, sequence: 9, sent: 77, .workerHeartbeat(beat))
      _ = link.received(sent, at: Fixture.start)
      guard case .coordinatorHeartbeat(let heartbeat)? = link.heartbeat(at: Fixture.start).first?.body else {
        Issue.record("no heartbeat")
        return
      }
      #expect(heartbeat.heardSent == 77)
      #expect(heartbeat.lease <= link.silence.limit / .seconds(1))
      #expect(heartbeat.lease == min(interval * 15, 15))
    }
  }
}

extension Claim {
  fileprivate static func of(_ claimant: UInt64, _ attempt: UInt64) -> Claim {
    Claim(address: Fixture.address, claimant: claimant, attempt: attempt, processID: 1, host: "there")
  }
}
