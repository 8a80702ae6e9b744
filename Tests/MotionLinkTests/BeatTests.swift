import MotionModel
import MotionWire
import Testing

@testable import MotionLink

/// When both ends send by themselves, and how a worker accounts for ticks that it never received.
@Suite struct BeatTests {
  /// The moments at which a link sends a heartbeat by itself, until an end.
  private func beats(from start: Duration, to end: Duration) -> [Duration] {
    var (link, now, beats) = (WorkerLink.serving(), start, [Duration]())
    while let due = link.nextDeadline, due <= end {
      now = max(now, due)
      for action in link.deadline(at: now) {
        if case .workerHeartbeat? = action.body { beats.append(now) }
      }
      // The coordinator is alive.
      let answer = CoordinatorHeartbeat(lastCommand: 0, lastEventApplied: 0, interval: 1)
      _ = link.hear(.coordinatorHeartbeat(answer), at: now)
    }
    return beats
  }

  @Test func `idle workers send heartbeats at full seconds, whenever they began`() {
    for offset in [Duration.zero, .milliseconds(1), .milliseconds(400), .milliseconds(999)] {
      let began = Fixture.start + offset
      let moments = beats(from: began, to: Fixture.start + .seconds(5)).filter { $0 > began }
      #expect(Set(moments).isSuperset(of: (1...5).map { Fixture.start + .seconds($0) }), "\(offset)")
      #expect(moments.allSatisfy { ($0 - Fixture.start).components.attoseconds == 0 }, "\(offset)")
    }
  }

  @Test func `the coordinator sends heartbeats at the same moments as workers`() {
    for offset in [Duration.milliseconds(1), .milliseconds(400), .milliseconds(999)] {
      var link = CoordinatorLink.ready()
      _ = link.heartbeat(at: Fixture.start + offset)
      #expect(link.heartbeatDue == Fixture.start + .seconds(1), "\(offset)")
      _ = link.setActive(true, at: Fixture.start + offset)
      #expect(link.heartbeatDue <= Fixture.start + offset + .milliseconds(200), "\(offset)")
      #expect((link.heartbeatDue - Fixture.start).components.attoseconds % 200_000_000_000_000_000 == 0, "\(offset)")
    }
  }

  @Test func `conflated ticks are counted and reported with the heartbeat`() {
    var link = WorkerLink.serving()
    for sequence in [1, 2, 5, 4, 6, 106] as [UInt64] {
      let tick = Tick(frame: Fixture.frame(100 + sequence), lastCommand: 0)
      _ = link.received(Fixture.fromCoordinator(.tick(tick), sequence: sequence), at: Fixture.start)
    }
    #expect(link.counters.conflatedTicks == 2 + 99)
    guard case .workerHeartbeat(let heartbeat) = link.heartbeat(at: Fixture.start).body else {
      Issue.record("no heartbeat")
      return
    }
    #expect(heartbeat.conflatedTicks == 101)

    var coordinator = CoordinatorLink.ready()
    for count in [101, 50] as [UInt64] {
      let said = WorkerHeartbeat(
        commandsApplied: 0, lastEvent: 0, tokens: TokenSet().stableHash, interval: 1, conflatedTicks: count)
      _ = coordinator.received(Fixture.fromWorker(.workerHeartbeat(said)), at: Fixture.start)
      #expect(coordinator.counters.conflatedTicks == 101)
    }
  }
}
