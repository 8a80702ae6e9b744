import LinuxSystem
import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// The turns of the loop.
extension Coordinator {
  /// The first work on the coordinator's thread.
  func begin() {
    if let recovery = history?.takeRecovery() {
      resume(recovery, at: machine.now)
      // The last checkpoint may be of an earlier start than the ring: if each ends within a second, of a much earlier one.
      commits.needCheckpoint(at: machine.now)
    }
    frames.begin(at: machine.now)
    if history?.hasTrailing == true { frames.noteEvent() }
    // Recovered motion continues by itself, and workers are started for it.
    wakeOrRest()
    applyAcknowledged(at: machine.now)
    commitRig(at: machine.now)
    listeners.report()
    guard let affinity = settings.affinity else { return }
    if Affinity.pin(to: affinity.loop) {
      logger.info("\(affinity)")
    } else {
      logger.warning("the loop cannot be bound to processor \(affinity.loop), and runs on any processor")
    }
  }

  /// Waits for the next event and handles it.
  func turn() {
    armTimers()
    switch loop.wait(isHurried: isHurried) {
    case .interrupted: break
    case .failed(let reason): fail(reason)
    case .turn(let now, let wasStalled):
      frames.showTime(at: now)
      if wasStalled {
        // The silence of peers in that time does not count against them.
        workers.wasStalled(at: now)
        clients.wasStalled(at: now)
      }
      handleDue(at: now)
    }
  }

  func armTimers() {
    let frame = frames.deadline(
      forWaiting: runtime.nextDueTime, writingBy: commits.timeDeadline(in: runtime, frames.clock))
    loop.arm(forFrame: frame, deadline: nextDeadline)
  }

  /// Handles everything that is ready or due, in the order of ``EventLoop/Handler``.
  func handleDue(at now: Duration) {
    for handler in EventLoop.Handler.order where isDue(handler, at: now) { handle(handler, at: now) }
  }

  /// Whether the next turn comes at once because work is left: a step that waits for no worker, or a large request.
  var isHurried: Bool { frames.stepping?.isReady == true || !clients.large.isEmpty }

  // MARK: Deadlines

  private func isDue(_ handler: EventLoop.Handler, at now: Duration) -> Bool {
    if handler.isHandledEveryTurn || loop.isReady(handler) { return true }
    guard let deadline = deadline(of: handler) else { return false }
    return now >= deadline
  }

  /// The first deadline of all handlers; frames have a timer of their own.
  private var nextDeadline: Duration? {
    var next: Duration?
    for handler in EventLoop.Handler.order {
      guard let deadline = deadline(of: handler) else { continue }
      next = next.map { min($0, deadline) } ?? deadline
    }
    return next
  }

  /// When something has to be handled besides what comes by descriptors.
  private func deadline(of handler: EventLoop.Handler) -> Duration? {
    switch handler {
    case .workers: workers.nextDeadline
    case .repeatedValues: publication.publisher.nextDeadline
    case .inspections: clients.inspections.nextDeadline
    case .presence: clients.presence.nextDeadline
    case .checkpoints: commits.checkpointDeadline
    case .directory: isStopping ? nil : listeners.directoryDeadline
    case .listeners: listeners.retryDeadline
    case .stop: stopState.deadline
    case .cues: isStopping ? nil : commits.cues.deadline
    // Of a step, while time stands.
    case .frames: frames.stepping?.deadline
    case .answers: clients.longAnswers.queue.deadline
    case .watchdog: loop.watchdogDeadline
    case .processEvents, .decodedEvents, .events, .link, .commandSubscriptions, .tickSubscriptions, .exits,
      .largeRequests, .requests, .valueSubscriptions, .journal, .recording, .history, .directoryNotices,
      .refusedConnections,
      .metrics:
      nil
    }
  }

  // MARK: Handlers

  private func handle(_ handler: EventLoop.Handler, at now: Duration) {
    switch handler {
    case .processEvents: for event in workers.takeProcessEvents() { perform(workers.receive(event, at: now), at: now) }
    case .decodedEvents:
      for decoded in workers.eventDecoder.take() { perform(workers.receive(decoded, at: now), at: now) }
    case .events:
      loop.drain(.events, sockets.events.receiveOne) { perform(workers.receive(event: $0, at: now), at: now) }
    case .link:
      loop.drain(.link, sockets.link.receiveRouted) {
        perform(workers.receive(link: $0.1, from: $0.0, at: now), at: now)
      }
    case .commandSubscriptions: receiveWorkerSubscriptions(.commandSubscriptions, of: sockets.commands, at: now)
    case .tickSubscriptions: receiveWorkerSubscriptions(.tickSubscriptions, of: sockets.ticks, at: now)
    case .exits: for slot in workers.exitedWorkers() { perform(workers.noteDeath(of: slot, at: now), at: now) }
    case .largeRequests:
      if loop.isReady(.largeRequests) { clients.large.requests += clients.decoder.take() }
      doLargeRequests(at: now)
    case .requests:
      loop.drain(.requests, yieldingAt: { frames.clock.deadline }, sockets.control.receiveRouted) {
        receiveRequest($0.1, from: $0.0, at: now)
      }
    case .valueSubscriptions: receiveValueSubscriptions(at: now)
    case .journal: receiveJournalEvents(at: now)
    case .recording: if let ending = recorder?.takeEnding() { end(ending) }
    case .history: if let actions = history?.takeEvents() { perform(actions, at: now) }
    case .directoryNotices: listeners.receiveNotices(at: now)
    // Maintenance
    case .workers:
      for slot in workers.table.all { perform(workers.deadline(of: slot, at: now), at: now) }
      perform(workers.startQueued(at: now), at: now)
    case .repeatedValues: publication.publisher.deadline(at: now)
    case .cues: takeCues(at: now)
    case .inspections: perform(clients.answerInspections(in: runtime, at: now), at: now)
    case .presence: clearUp(clients.takeGone(at: now, pointersAt: clock.time(ofEventAt: now)), at: now)
    case .checkpoints: commits.deadline(in: runtime, frames.clock, clients.presence, at: now)
    case .refusedConnections: listeners.reportRefusals(at: now)
    case .directory: if let reason = listeners.checkDirectory(at: now) { fail(reason) }
    case .listeners: listeners.listenToOtherMachines(at: now)
    case .stop: continueStopping(at: now)
    case .frames: runFrames()
    case .answers:
      if loop.isReady(.answers) { perform(clients.takeAnswers(), at: now) }
      let due = frames.clock.deadline
      perform(clients.makeAnswers(from: runtime, until: due, on: machine, moment: { moment(at: $0) }), at: now)
    case .metrics:
      // At most ten times in a second (``MetricsServer/freshness``).
      _ = publication.metrics?.questions.take()
      publication.metrics?.answer(metricsSnapshot(at: now))
    case .watchdog: loop.notifyWatchdog(at: now)
    }
  }

  private func receiveWorkerSubscriptions(
    _ handler: EventLoop.Handler, of socket: PublishSocket, at now: Duration
  ) {
    loop.drain(handler, socket.receiveSubscriptionMessage) {
      perform(workers.receive(subscription: $0, $1, at: now), at: now)
    }
  }

  /// Receives the subscriptions and unsubscriptions since the last turn. Of several on one topic only the last counts.
  private func receiveValueSubscriptions(at now: Duration) {
    var wanted: [[UInt8]: Bool] = [:]
    var order: [[UInt8]] = []
    loop.drain(
      .valueSubscriptions, yieldingAt: { frames.clock.deadline }, sockets.values.receiveSubscriptionMessage
    ) { event, message in
      guard let (topic, isWanted) = publication.receive(event, message, on: machine) else { return }
      if wanted.updateValue(isWanted, forKey: topic) == nil { order.append(topic) }
    }
    publication.update(order.map { ($0, wanted[$0] == true) }, of: runtime, at: now)
  }

  /// Receives which rows have reached the disk, and applies them.
  private func receiveJournalEvents(at now: Duration) {
    for event in commits.takeEvents() {
      switch event {
      case .durable(let count, let lastRow, let nanoseconds):
        commits.wrote(count, nanoseconds: nanoseconds)
        for left in (0..<UInt64(count)).reversed() {
          perform(commits.durable(lastRow - left, in: runtime, at: now), at: now)
        }
        // Changes that take effect in a frame are noted there. A transaction that waits for its time is in its row and
        // needs no checkpoint.
        if commits.hasManyRows { changed(at: now) }
      case .refused(let count, let problem):
        for _ in 0..<count { perform(commits.refused(problem, in: runtime), at: now) }
      case .failed(let problem): perform(commits.failed(problem, at: now), at: now)
      case .withoutCheckpoint(let problem): perform(commits.withoutCheckpoint(problem), at: now)
      case .checkpointRefused(let problem):
        perform(commits.refusedCheckpoint(problem, in: runtime, at: now), at: now)
      case .healed(let lastRow):
        perform(commits.healed(lastRow, in: runtime, frames.clock, clients.presence, at: now), at: now)
      }
    }
  }

  /// Removes the intentions, pointers and input values of clients that are gone.
  private func clearUp(_ remains: ClientPresence.Remains, at now: Duration) {
    if !remains.sequences.isEmpty {
      logger.info("a client has disconnected; the intentions of \(remains.sequences.count) transactions are withdrawn")
      perform(commits.withdraw(remains.sequences, in: runtime, time: clock.time(at: now)), at: now)
    }
    for input in remains.inputs where runtime.takesInput(input.target) {
      logger.info(
        "a client has disconnected; its pointers on \(input.target) are cancelled",
        metadata: logger.metadata(of: input.target))
      // Not as input that may be refused when much of it waits: a cancellation would not be sent again.
      runtime.submit(.input(input))
    }
    guard !remains.values.isEmpty else { return }
    logger.info("a client has disconnected; its input values are withdrawn: \(remains.summary)")
    // A withdrawal makes room: it is never refused.
    try? runtime.submit(InputValues(from: "motiond", remains.values.map { InputValue($0, nil) }))
  }
}
