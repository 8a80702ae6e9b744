import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Receives the messages and subscriptions of workers, and the ends of their processes.
  func receiveFromWorkers(at now: Duration) {
    if poller.isReadable(watched.eventDecoder) {
      for decoded in workers.eventDecoder.take() { perform(workers.receive(decoded, at: now), at: now) }
    }
    drain(watched.events, sockets.events.receiveOne) { perform(workers.receive(event: $0, at: now), at: now) }
    drain(watched.link, sockets.link.receiveRouted) {
      perform(workers.receive(link: $0.1, from: $0.0, at: now), at: now)
    }
    drain(watched.commands, sockets.commands.receiveSubscriptionMessage) {
      perform(workers.receive(subscription: $0, $1, at: now), at: now)
    }
    drain(watched.ticks, sockets.ticks.receiveSubscriptionMessage) {
      perform(workers.receive(subscription: $0, $1, at: now), at: now)
    }
    for slot in workers.exitedWorkers() { perform(workers.noteDeath(of: slot, at: now), at: now) }
  }

  /// Receives the events of worker processes.
  func receiveProcessEvents(at now: Duration) {
    guard poller.isReadable(watched.processEvents) else { return }
    for event in workers.takeProcessEvents() { perform(workers.receive(event, at: now), at: now) }
  }

  /// Carries out the actions of the worker pool: each, with everything that follows from it, before the next.
  func perform(_ actions: [WorkerPool.Action], at now: Duration) {
    for action in actions {
      switch action {
      case .apply(let event): applyNow(event, at: now)
      case .lost(let worker):
        clients.inspections.lost(worker)
        perform(clients.answerInspections(in: runtime, at: now), at: now)
      case .reported(let report, let question, let worker):
        clients.inspections.heard(report, from: worker, number: question) { runtime.hasPlan($0, in: worker) }
        perform(clients.answerInspections(in: runtime, at: now), at: now)
      case .ended: finishStoppingIfDone()
      case .goOn(let step): perform(workers.goOn(step, at: now), at: now)
      }
    }
  }

  /// Sends the messages of the runtime to workers.
  func flushOutbox(at now: Duration) {
    for command in workers.takeOutbox() { perform(workers.send(command, next: clock.next, at: now), at: now) }
    workers.releaseIdle(at: now)
  }

  /// Handles links and lives whose deadline has passed, and starts workers whose turn has come.
  func watchWorkers(at now: Duration) {
    for slot in workers.table.all { perform(workers.deadline(of: slot, at: now), at: now) }
    perform(workers.startQueued(at: now), at: now)
  }

  /// Applies an event at once, between frames, and publishes the changes.
  func applyNow(_ event: RuntimeEvent, at now: Duration) {
    if runtime.isActive || event.handsOver { runPresentFrame(at: now) }
    runtime.applyNow(event)
    flushOutbox(at: now)
    publishChanges(at: now)
    changed(at: now)
  }
}

extension RuntimeEvent {
  /// Whether plans may begin with the event although nothing is active: those that were pending or withheld.
  fileprivate var handsOver: Bool {
    switch self {
    case .provisioned, .withheld, .restored: true
    case .commit, .update, .lost, .quarantined, .planQuarantined, .stop, .withdraw, .input: false
    }
  }
}
