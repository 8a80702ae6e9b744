import MotionModel
import MotionWire
import Testing

@testable import MotionLink

@Suite struct CoordinatorLinkTests {
  @Test func `a snapshot is requested after the resync and both subscriptions`() {
    enum Part: CaseIterable { case resync, commands, ticks }
    for order in [[Part.resync, .commands, .ticks], [.ticks, .resync, .commands], [.commands, .ticks, .resync]] {
      var link = CoordinatorLink.welcomed()
      var asked: [Bool] = []
      for part in order {
        let actions =
          switch part {
          case .resync: link.hear(.resync(commandsApplied: 0))
          case .commands: link.subscribed(to: Fixture.topics.commands, at: Fixture.start)
          case .ticks: link.subscribed(to: Fixture.topics.ticks, at: Fixture.start)
          }
        asked.append(actions.contains(.provideSnapshot))
      }
      #expect(asked == [false, false, true])
    }
  }

  @Test func `a snapshot waits for a subscription that ended`() {
    var link = CoordinatorLink.ready()
    link.unsubscribed(from: Fixture.topics.commands)
    #expect(link.hear(.resync(commandsApplied: 0)) == [])
    #expect(link.subscribed(to: Fixture.topics.commands, at: Fixture.start) == [.provideSnapshot])
  }

  @Test func aWorkerWithoutUpdatesNeedsNoSubscriptionToTicksAndGetsNone() {
    var link = CoordinatorLink(
      epoch: Fixture.epoch, address: Fixture.address, incarnation: Fixture.incarnation, wantsUpdates: false,
      at: Fixture.start)
    link.hear(.hello(Fixture.hello))
    _ = link.subscribed(to: Fixture.topics.commands, at: Fixture.start)
    #expect(link.hear(.resync(commandsApplied: 0)) == [.provideSnapshot])
    #expect(link.provide(Fixture.snapshot(), at: Fixture.start) != nil)
    #expect(link.tick(Fixture.frame(1), at: Fixture.start) == nil)
  }

  @Test func commandsAreNumberedFromTheStartAndSentFromTheSnapshotOn() throws {
    var link = CoordinatorLink.welcomed()
    #expect(link.send(Fixture.command(1), at: Fixture.start) == (1, nil))
    #expect(link.send(Fixture.command(2), at: Fixture.start) == (2, nil))
    _ = link.subscribed(to: Fixture.topics.commands, at: Fixture.start)
    _ = link.subscribed(to: Fixture.topics.ticks, at: Fixture.start)
    link.hear(.resync(commandsApplied: 0), sequence: 4)
    let provided = link.provide(Fixture.snapshot(), at: Fixture.start)
    let snapshot = try #require(provided)
    #expect(snapshot.body == .snapshot(command: 2, Fixture.snapshot()))
    #expect(snapshot.replyTo == 4)
    let sent = link.send(Fixture.command(3), at: Fixture.start)
    #expect(sent.number == 3)
    #expect(sent.publish?.body == .command(number: 3, Fixture.command(3)))
  }

  @Test func `a resync is answered once`() {
    var link = CoordinatorLink.ready()
    #expect(link.provide(Fixture.snapshot(), at: Fixture.start) == nil)
  }

  @Test func aWorkerIsReadyOnceItAcknowledgesTheSnapshot() {
    var link = CoordinatorLink.welcomed()
    _ = link.send(Fixture.command(1), at: Fixture.start)
    _ = link.subscribed(to: Fixture.topics.commands, at: Fixture.start)
    _ = link.subscribed(to: Fixture.topics.ticks, at: Fixture.start)
    link.hear(.resync(commandsApplied: 0))
    _ = link.provide(Fixture.snapshot(), at: Fixture.start)
    #expect(!link.hear(.update(WorkerUpdate(frame: 0, commandsApplied: 0))).contains(.provisioned))
    #expect(link.state == .provisioning(command: 1))
    #expect(
      link.hear(.update(WorkerUpdate(frame: 0, commandsApplied: 1)))
        == [.apply(WorkerUpdate(frame: 0, commandsApplied: 1)), .provisioned])
    #expect(link.state == .ready)
  }

  @Test func `an unsupported version is refused with both ranges`() throws {
    var link = CoordinatorLink.example()
    var hello = Fixture.hello
    hello.protocolVersions = 2...3
    let actions = link.hear(.hello(hello))
    guard case .refusal(let refusal)? = actions.first?.body else {
      Issue.record("no refusal")
      return
    }
    #expect(refusal.code == .version)
    #expect(refusal.message.contains("messages 2 to 3"))
    #expect(refusal.message.contains("messages 1"))
    #expect(actions.last == .fence(.refused(refusal)))
    #expect(!FenceReason.refused(refusal).isWorthARestart)
  }

  @Test func aWorkerWithoutAnExecutorOfItsManifestIsRefused() {
    var link = CoordinatorLink.example()
    var hello = Fixture.hello
    hello.executors = ["Gesture"]
    guard case .fence(.refused(let refusal))? = link.hear(.hello(hello)).last else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.message.contains("Tween"))
  }

  @Test func eventsAreAppliedOnceAndInOrderAndAcknowledgedAtOnce() throws {
    var link = CoordinatorLink.ready()
    let said: [(numbers: [UInt64], new: [UInt64])] = [
      ([1, 2], [1, 2]), ([1, 2], []), ([2, 3], [3]), ([5, 6], []), ([4, 5, 6], [4, 5, 6]), ([8], []), ([9, 7], []),
    ]
    for (numbers, new) in said {
      let actions = link.hear(.update(WorkerUpdate(frame: 0, events: Fixture.numbered(numbers), commandsApplied: 0)))
      #expect(actions.compactMap(\.update).flatMap(\.events).map(\.number) == new, "\(numbers)")
      let acknowledged = actions.compactMap { action in
        if case .coordinatorHeartbeat(let heartbeat)? = action.body { heartbeat.lastEventApplied } else { nil }
      }
      #expect(acknowledged == (new.isEmpty ? [] : [link.lastEventApplied]), "\(numbers)")
    }
    #expect(link.lastEventApplied == 6)
    #expect(link.counters.gaps == 3)
  }

  @Test func `writes of an older frame are dropped, and its events are applied`() {
    var link = CoordinatorLink.ready()
    _ = link.tick(Fixture.frame(1), at: Fixture.start)
    _ = link.tick(Fixture.frame(2), at: Fixture.start)
    link.hear(.update(WorkerUpdate(frame: 2, writes: [Fixture.write(2)], commandsApplied: 0)))
    let late = WorkerUpdate(frame: 1, writes: [Fixture.write(1)], events: Fixture.numbered([1]), commandsApplied: 0)
    let update = link.hear(.update(late)).compactMap(\.update).first
    #expect(update?.writes == [])
    #expect(update?.events.count == 1)
  }

  @Test func `an update from before a command is applied unchanged after a newer acknowledgement`() {
    var link = CoordinatorLink.ready()
    _ = link.tick(Fixture.frame(1), at: Fixture.start)
    _ = link.send(Fixture.command(1), at: Fixture.start)
    let before = WorkerUpdate(frame: 1, writes: [Fixture.write(1)], commandsApplied: 0)
    link.hear(.update(WorkerUpdate(frame: 1, commandsApplied: 1)))
    #expect(link.acknowledgedCommand == 1)
    #expect(link.hear(.update(before)).compactMap(\.update) == [before])
  }

  @Test func `an update has the bytes that it came with only if it is applied as it came`() {
    func applied(frame: UInt64, commands: UInt64 = 1, events: [UInt64] = [], after other: UInt64 = 0) -> [UInt8]? {
      var link = CoordinatorLink.ready()
      for number in 1...3 { _ = link.tick(Fixture.frame(UInt64(number)), at: Fixture.start) }
      _ = link.send(Fixture.command(1), at: Fixture.start)
      if other > 0 { link.hear(.update(WorkerUpdate(frame: other, writes: [Fixture.write(9)], commandsApplied: 1))) }
      var update = WorkerUpdate(
        frame: frame, writes: [Fixture.write(1)], events: Fixture.numbered(events), commandsApplied: commands)
      update.encoded = WorkerUpdate.Encoded([7])
      return link.hear(.update(update)).compactMap(\.update).first?.encoded.bytes
    }
    #expect(applied(frame: 3) == [7] && applied(frame: 2) == [7] && applied(frame: 3, commands: 0) == [7])
    #expect(applied(frame: 4) == [], "a frame that was not announced")
    #expect(applied(frame: 3, commands: 2) == [], "a command that was not sent")
    #expect(applied(frame: 3, events: [1]) == [], "events, of which some may be known")
    #expect(applied(frame: 2, events: [1], after: 3) == [], "an older frame, without its values")
    #expect(applied(frame: 2, after: 3) == nil)
  }

  @Test func `an update of an unannounced frame does not block later updates`() {
    var link = CoordinatorLink.ready()
    _ = link.tick(Fixture.frame(1), at: Fixture.start)
    link.hear(.update(WorkerUpdate(frame: .max, commandsApplied: 0)))
    let update = WorkerUpdate(frame: 1, writes: [Fixture.write(1)], commandsApplied: 0)
    #expect(link.hear(.update(update)).compactMap(\.update) == [update])
  }

  @Test func `an update for a tick is applied once, even without changes`() {
    var link = CoordinatorLink.ready()
    _ = link.tick(Fixture.frame(1), at: Fixture.start)
    let update = WorkerUpdate(frame: 1, commandsApplied: 0)
    #expect(link.hear(.update(update)) == [.apply(update)])
    #expect(link.hear(.update(update)) == [])
    #expect(link.counters.old == 1)
  }

  @Test func `a command is not acknowledged before the events that it caused`() {
    var link = CoordinatorLink.ready()
    _ = link.send(Fixture.command(1), at: Fixture.start)
    link.hear(
      .workerHeartbeat(WorkerHeartbeat(commandsApplied: 1, lastEvent: 1, tokens: TokenSet().stableHash, interval: 1)))
    #expect(link.acknowledgedCommand == 0)
    link.hear(.update(WorkerUpdate(frame: 0, events: Fixture.numbered([2]), commandsApplied: 1)))
    #expect(link.acknowledgedCommand == 0)
    let actions = link.hear(.update(WorkerUpdate(frame: 0, events: Fixture.numbered([1, 2]), commandsApplied: 1)))
    #expect(actions.first?.update?.commandsApplied == 1)
  }

  @Test func aWorkerCannotAcknowledgeMoreThanWasSent() {
    var link = CoordinatorLink.ready()
    _ = link.send(Fixture.command(1), at: Fixture.start)
    link.hear(.update(WorkerUpdate(frame: 0, commandsApplied: .max)))
    #expect(link.acknowledgedCommand == 1)
  }

  @Test func `a mismatch of tokens and events is reported once`() {
    var link = CoordinatorLink.ready()
    let events = [WorkerUpdate.NumberedEvent(1, .started(Fixture.executor(1), "drag", moving: []))]
    link.hear(.update(WorkerUpdate(frame: 0, events: events, commandsApplied: 0)))
    var tokens = TokenSet()
    tokens.insert("drag", of: Fixture.executor(1))
    func beat(_ tokens: UInt64, _ lastEvent: UInt64 = 1) -> Envelope.Body {
      .workerHeartbeat(WorkerHeartbeat(commandsApplied: 0, lastEvent: lastEvent, tokens: tokens, interval: 1))
    }
    #expect(link.hear(beat(tokens.stableHash)) == [])
    #expect(link.hear(beat(0, 2)) == [])
    #expect(link.hear(beat(0)).count == 1)
    #expect(link.hear(beat(0)) == [])
    #expect(link.hear(beat(tokens.stableHash)) == [])
    #expect(link.hear(beat(0)).count == 1)
  }

  @Test func `the timeout depends on the interval that the worker announced`() {
    for (interval, limit) in [(0.2, Duration.seconds(1)), (1, .seconds(5)), (3600, .seconds(50)), (.nan, .seconds(5))] {
      var link = CoordinatorLink.ready()
      link.hear(
        .workerHeartbeat(
          WorkerHeartbeat(commandsApplied: 0, lastEvent: 0, tokens: TokenSet().stableHash, interval: interval)))
      link.pass(limit - .milliseconds(1))
      #expect(link.state == .ready, "\(interval)")
      #expect(link.pass(limit, from: Fixture.start).last == .fence(.silent(for: limit)), "\(interval)")
    }
  }

  @Test func `any valid message counts as a sign of life, and one of another life does not`() {
    var link = CoordinatorLink.ready()
    link.pass(.seconds(4))
    link.hear(.log(LogLine(.info, "still here")), at: Fixture.start + .seconds(4))
    link.pass(.seconds(4), from: Fixture.start + .seconds(4))
    #expect(link.state == .ready)
    for envelope in [Envelope(epoch: 6, incarnation: 3, .alive), Envelope(epoch: 7, incarnation: 2, .alive)] {
      _ = link.received(envelope, at: Fixture.start + .seconds(8))
    }
    #expect(link.counters.fenced == 2)
    link.pass(.seconds(2), from: Fixture.start + .seconds(8))
    #expect(link.state == .fenced)
  }

  @Test func `a suspended coordinator gives its workers a fresh timeout`() {
    var link = CoordinatorLink.ready()
    let woken = Fixture.start + .seconds(20)
    #expect(!link.deadline(at: woken).contains { if case .fence = $0 { true } else { false } })
    #expect(link.counters.stalls == 1)
    link.pass(.milliseconds(4999), from: woken)
    #expect(link.state == .ready)
    link.pass(.seconds(5), from: woken)
    #expect(link.state == .fenced)
  }

  @Test func `a change of activity after a suspension gives a fresh timeout too`() {
    for isActive in [true, false] {
      var link = CoordinatorLink.ready()
      _ = link.setActive(!isActive, at: Fixture.start)
      // The timeout has passed by so little that this alone would not count as a suspension.
      let woken = Fixture.start + .milliseconds(5100)
      _ = link.setActive(isActive, at: woken)
      #expect(!link.deadline(at: woken).contains { if case .fence = $0 { true } else { false } })
      #expect(link.state == .ready && link.counters.stalls > 0, "\(isActive)")
    }
  }

  @Test func `heartbeats are frequent while the runtime is active`() {
    func beats(_ actions: [CoordinatorAction]) -> [Double] {
      actions.compactMap { if case .coordinatorHeartbeat(let beat)? = $0.body { beat.interval } else { nil } }
    }
    var link = CoordinatorLink.ready()
    #expect(beats(link.pass(.milliseconds(4500))) == [1, 1, 1, 1, 1])
    let now = Fixture.start + .milliseconds(4500)
    link.hear(.log(LogLine(.info, "here")), at: now)
    #expect(beats(link.setActive(true, at: now)) == [0.2])
    #expect(beats(link.pass(.seconds(1), from: now)).count == 5)
    #expect(link.setActive(true, at: now) == [])
  }

  @Test func `draining sends one shutdown command and refuses requests`() {
    var link = CoordinatorLink.ready()
    #expect(link.drain(isFinal: true, at: Fixture.start)?.body == .command(number: 1, .shutdown(isFinal: true)))
    #expect(link.drain(at: Fixture.start) == nil)
    guard case .refusal(let refusal)? = link.hear(.resync(commandsApplied: 0)).first?.body else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.code == .stopping)
    let events = link.hear(.update(WorkerUpdate(frame: 0, events: Fixture.numbered([1]), commandsApplied: 1)))
    #expect(events.first?.update?.events.count == 1)
  }

  @Test func `envelopes are numbered per socket and contain their sending time`() {
    var link = CoordinatorLink.ready()
    let ticks = [
      link.tick(Fixture.frame(1), at: Fixture.start), link.tick(Fixture.frame(2), at: Fixture.start + .milliseconds(5)),
    ].compactMap(\.self)
    #expect(ticks.map(\.sequence) == [1, 2])
    #expect(ticks.map(\.sent) == [1_000_000_000_000, 1_000_005_000_000])
    #expect(ticks.allSatisfy { $0.epoch == Fixture.epoch && $0.incarnation == 0 })
  }

  @Test func `streams are queried from a ready worker, and the report names its query`() throws {
    for var link in [CoordinatorLink.example(), .welcomed(), .draining(), .fenced()] {
      #expect(link.inspect([], at: Fixture.start) == nil)
    }
    var link = CoordinatorLink.ready()
    let asked = link.inspect([ExecutorHandle(4)], at: Fixture.start)
    let question = try #require(asked)
    #expect(question.body == .inspect([ExecutorHandle(4)]))
    let answer = Fixture.fromWorker(.streamReport(StreamReport()), replyTo: question.sequence)
    #expect(
      link.received(answer, at: Fixture.start) == [.reported(StreamReport(), question: question.sequence)])
  }
}
