import MotionModel
import MotionWire
import Testing

@testable import MotionLink

@Suite struct WorkerLinkTests {
  @Test func `an unanswered hello is resent, and the worker exits after a minute`() {
    var link = WorkerLink.greeting()
    let actions = link.pass(.seconds(70))
    let hellos = actions.filter { $0.body == .hello(Fixture.hello) }
    #expect(hellos.count == 61)
    #expect(actions.last == .exit(.unanswered(for: .seconds(60))))
  }

  @Test func `a worker subscribes once and sends its resync when events are subscribed`() {
    var link = WorkerLink.greeting()
    #expect(link.hear(.welcome(Fixture.welcome)) == [.subscribe(Fixture.welcome)])
    #expect(link.hear(.welcome(Fixture.welcome)) == [])
    #expect(
      link.subscribed(to: Fixture.topics.events, at: Fixture.start).map(\.body) == [.resync(commandsApplied: 0)])

    var early = WorkerLink.greeting()
    #expect(early.subscribed(to: Fixture.topics.events, at: Fixture.start) == [])
    let actions = early.hear(.welcome(Fixture.welcome))
    #expect(actions.first == .subscribe(Fixture.welcome))
    #expect(actions.last?.body == .resync(commandsApplied: 0))
  }

  @Test func `a resync is resent until the snapshot arrives`() {
    var link = WorkerLink.awaitingSnapshot()
    let questions = link.pass(.seconds(3)).filter { $0.body == .resync(commandsApplied: 0) }
    #expect(questions.count == 4)
  }

  @Test func commandsThatOvertookTheSnapshotFollowIt() {
    var link = WorkerLink.awaitingSnapshot()
    for number in UInt64(4)...8 { #expect(link.hear(.command(number: number, Fixture.command(number))) == []) }
    let actions = link.hear(.snapshot(command: 6, Fixture.snapshot(frame: 3)), replyTo: 2)
    #expect(
      actions == [.provision(Fixture.snapshot(frame: 3)), .apply(Fixture.command(7)), .apply(Fixture.command(8))])
    #expect(link.commandsApplied == 8)
  }

  @Test func `a gap behind the snapshot causes another resync`() {
    var link = WorkerLink.awaitingSnapshot()
    link.hear(.command(number: 9, Fixture.command(9)))
    let actions = link.hear(.snapshot(command: 6, Fixture.snapshot(frame: 3)), replyTo: 2)
    #expect(actions.last?.body == .resync(commandsApplied: 6))
    #expect(link.isAwaitingSnapshot)
    let second = link.hear(.snapshot(command: 8, Fixture.snapshot(frame: 4)), replyTo: 3)
    #expect(second == [.provision(Fixture.snapshot(frame: 4)), .apply(Fixture.command(9))])
  }

  /// A snapshot of two plans, each with an executor of its own.
  private func snapshot(of plans: [UInt64]) -> WorkerSnapshot {
    WorkerSnapshot(
      frame: Fixture.frame(20),
      executors: [1, 2].map { number in
        WorkerSnapshot.Executor(
          handle: Fixture.executor(number), key: Fixture.key,
          intentions: plans.contains(number) ? [LinkWorld.plan(number)] : [], displaced: [], driven: [])
      })
  }

  // Clauses: S14.5
  @Test func `a plan that has ended is not taken from an older snapshot`() {
    var link = WorkerLink.serving()
    let (first, second) = (LinkWorld.identity(of: 1), LinkWorld.identity(of: 2))
    link.record(.finished(Fixture.executor(1), first, .completed))
    link.record(.failed(Fixture.executor(2), second, reason: "it is broken"))
    link.hear(.command(number: 8, Fixture.command(8)))
    // The coordinator has applied the first end; a snapshot that it sent earlier arrives after this acknowledgement.
    link.hear(.coordinatorHeartbeat(CoordinatorHeartbeat(lastCommand: 8, lastEventApplied: 1, interval: 1)))
    var (early, late) = (link, link)
    #expect(
      early.hear(.snapshot(command: 8, lastEventApplied: 0, snapshot(of: [1, 2])), replyTo: 3).first
        == .provision(snapshot(of: [])))
    #expect(
      late.hear(.snapshot(command: 8, lastEventApplied: 1, snapshot(of: [1, 2])), replyTo: 3).first
        == .provision(snapshot(of: [1])))
    // A coordinator that has applied both may send the same plans again, for example because a client added them once
    // more.
    #expect(
      link.hear(.snapshot(command: 8, lastEventApplied: 2, snapshot(of: [1, 2])), replyTo: 3).first
        == .provision(snapshot(of: [1, 2])))
  }

  @Test func `commands are applied once and in order`() {
    var link = WorkerLink.serving()
    #expect(link.hear(.command(number: 6, Fixture.command(6))) == [.apply(Fixture.command(6))])
    #expect(link.hear(.command(number: 6, Fixture.command(6))) == [])
    #expect(link.hear(.command(number: 5, Fixture.command(5))) == [])
    #expect(link.hear(.command(number: 8, Fixture.command(8))).map(\.body) == [.resync(commandsApplied: 6)])
    #expect(link.counters.gaps == 1)
  }

  @Test func `the newest tick waits for the commands that it announces`() {
    var link = WorkerLink.serving()
    #expect(link.hear(.tick(Tick(frame: Fixture.frame(11), lastCommand: 6))) == [])
    #expect(link.hear(.tick(Tick(frame: Fixture.frame(12), lastCommand: 7))) == [])
    #expect(link.hear(.tick(Tick(frame: Fixture.frame(11), lastCommand: 6))) == [])
    #expect(link.hear(.command(number: 6, Fixture.command(6))) == [.apply(Fixture.command(6))])
    #expect(
      link.hear(.command(number: 7, Fixture.command(7))) == [.apply(Fixture.command(7)), .run(Fixture.frame(12))])
    #expect(link.hear(.tick(Tick(frame: Fixture.frame(12), lastCommand: 7))) == [])
    #expect(link.hear(.tick(Tick(frame: Fixture.frame(13), lastCommand: 7))) == [.run(Fixture.frame(13))])
  }

  @Test func `a tick of a frame that the snapshot contains is not run`() {
    var link = WorkerLink.awaitingSnapshot()
    #expect(link.hear(.tick(Tick(frame: Fixture.frame(3), lastCommand: 0))) == [])
    #expect(
      link.hear(.snapshot(command: 0, Fixture.snapshot(frame: 3)), replyTo: 2)
        == [.provision(Fixture.snapshot(frame: 3))])
    var next = WorkerLink.awaitingSnapshot()
    #expect(next.hear(.tick(Tick(frame: Fixture.frame(4), lastCommand: 0))) == [])
    #expect(
      next.hear(.snapshot(command: 0, Fixture.snapshot(frame: 3)), replyTo: 2)
        == [.provision(Fixture.snapshot(frame: 3)), .run(Fixture.frame(4))])
  }

  @Test func commandsUnderWayProlongTheTimeoutWithATick() {
    var link = WorkerLink.serving()
    link.hear(.tick(Tick(frame: Fixture.frame(11), lastCommand: 8)))
    link.hear(.command(number: 6, Fixture.command(6)), at: Fixture.start + .milliseconds(150))
    link.pass(.milliseconds(300))
    #expect(link.state.word == "serving")
    link.pass(.milliseconds(350))
    #expect(link.isAwaitingSnapshot)
  }

  @Test func `a tick that came before the snapshot causes a resync when its commands do not come`() {
    var link = WorkerLink.awaitingSnapshot()
    link.hear(.tick(Tick(frame: Fixture.frame(11), lastCommand: 8)))
    link.hear(.snapshot(command: 6, Fixture.snapshot(frame: 10)), replyTo: 2)
    #expect(link.state.word == "serving")
    link.pass(.milliseconds(250))
    #expect(link.isAwaitingSnapshot)
  }

  @Test func aSnapshotIsAcknowledgedAtOnceEvenIfItsNumberIsNotNew() {
    var link = WorkerLink.awaitingSnapshot()
    _ = link.deadline(at: Fixture.start)
    link.hear(.snapshot(command: 0, Fixture.snapshot(frame: 3)), replyTo: 2)
    #expect(link.deadline(at: Fixture.start).contains { if case .workerHeartbeat? = $0.body { true } else { false } })
  }

  @Test func `events are sent at once and with every update until acknowledged`() {
    func numbers(_ actions: [WorkerAction]) -> [[UInt64]] {
      actions.compactMap { if case .update(let update)? = $0.body { update.events.map(\.number) } else { nil } }
    }
    var link = WorkerLink.serving()
    link.record(Fixture.event(1))
    #expect(link.nextDeadline == .zero)
    #expect(numbers(link.deadline(at: Fixture.start)) == [[1]])
    link.record(Fixture.event(2))
    let update = link.update(frame: 11, writes: [], at: Fixture.start)
    #expect(numbers([.publish(update)]) == [[1, 2]])
    #expect(numbers(link.deadline(at: Fixture.start)) == [])
    #expect(numbers(link.pass(.milliseconds(200))) == [[1, 2]])
    link.hear(.coordinatorHeartbeat(CoordinatorHeartbeat(lastCommand: 5, lastEventApplied: 1, interval: 1)))
    #expect(numbers(link.pass(.milliseconds(400), from: Fixture.start)) == [[2]])
    link.hear(.coordinatorHeartbeat(CoordinatorHeartbeat(lastCommand: 5, lastEventApplied: .max, interval: 1)))
    #expect(link.unacknowledgedEvents == 0)
    #expect(numbers(link.pass(.seconds(1))) == [])
  }

  @Test func `too many unacknowledged events end the worker`() {
    var link = WorkerLink.serving()
    for number in 0...UInt64(Limits.unacknowledgedEvents) { link.record(Fixture.event(number)) }
    #expect(link.deadline(at: Fixture.start) == [.exit(.outOfStep(events: Limits.unacknowledgedEvents + 1))])
  }

  @Test func commandsAreAcknowledgedWithoutATick() {
    var link = WorkerLink.serving()
    link.hear(.command(number: 6, Fixture.command(6)))
    let expected = Envelope.Body.update(WorkerUpdate(frame: 10, commandsApplied: 6))
    #expect(link.deadline(at: Fixture.start).map(\.body) == [expected])
  }

  @Test func `a lost connection is reported once, and then hello is sent again`() {
    var link = WorkerLink.serving()
    link.hear(.coordinatorHeartbeat(CoordinatorHeartbeat(lastCommand: 5, lastEventApplied: 0, interval: 0.2)))
    link.hear(.tick(Tick(frame: Fixture.frame(11), lastCommand: 9)))
    let actions = link.pass(.seconds(30))
    #expect(actions.filter { $0 == .leaseLost }.count == 1)
    #expect(actions.contains { $0.body == .hello(Fixture.hello) })
    let woken = Fixture.start + .seconds(30)
    #expect(link.hear(.command(number: 6, Fixture.command(6)), at: woken) == [])
    #expect(link.hear(.tick(Tick(frame: Fixture.frame(20), lastCommand: 5)), at: woken) == [])
    // It is already subscribed and receives: once welcomed, it requests a snapshot at once, and only an answer to this
    // request counts.
    #expect(link.hear(.welcome(Fixture.welcome), at: woken).map(\.body) == [.resync(commandsApplied: 5)])
    #expect(link.hear(.snapshot(command: 5, Fixture.snapshot(frame: 10)), replyTo: 2, at: woken) == [])
    let provisioned = link.hear(.snapshot(command: 5, Fixture.snapshot(frame: 20)), replyTo: 1000, at: woken)
    #expect(provisioned == [.provision(Fixture.snapshot(frame: 20)), .apply(Fixture.command(6))])
  }

  @Test func `the silence limit depends on the coordinator's interval`() {
    for (interval, limit) in [(0.2, Duration.seconds(1)), (1, .seconds(5))] {
      var link = WorkerLink.serving()
      link.hear(.coordinatorHeartbeat(CoordinatorHeartbeat(lastCommand: 5, lastEventApplied: 0, interval: interval)))
      #expect(!link.pass(limit - .milliseconds(1)).contains(.leaseLost))
      #expect(link.pass(limit).contains(.leaseLost))
    }
  }

  @Test func `a shutdown waits for the last events for at most half a second`() {
    var link = WorkerLink.draining()
    #expect(!link.pass(.milliseconds(499)).contains(.exit(.shutdown)))
    #expect(link.pass(.milliseconds(500)).last == .exit(.shutdown))

    var acknowledged = WorkerLink.draining()
    let heartbeat = CoordinatorHeartbeat(lastCommand: 6, lastEventApplied: 1, interval: 1)
    #expect(acknowledged.hear(.coordinatorHeartbeat(heartbeat)) == [.exit(.shutdown)])
  }

  @Test func `nothing is published before the events are subscribed`() {
    var link = WorkerLink.subscribing()
    link.record(Fixture.event(1))
    let published = link.pass(.seconds(30)).contains { if case .publish = $0 { true } else { false } }
    #expect(!published)
  }

  @Test func `an inspection is passed on and answered`() {
    for var link in [WorkerLink.awaitingSnapshot(), .serving(), .draining()] {
      let question = Fixture.fromCoordinator(.inspect([ExecutorHandle(4)]), sequence: 9)
      #expect(link.received(question, at: Fixture.start) == [.inspect([ExecutorHandle(4)], question: 9)])
      let answer = link.report(StreamReport(), to: 9, at: Fixture.start)
      #expect(answer.body == .streamReport(StreamReport()))
      #expect(answer.replyTo == 9)
    }
    var link = WorkerLink.ended()
    #expect(link.received(Fixture.fromCoordinator(.inspect([])), at: Fixture.start) == [])
  }
}
