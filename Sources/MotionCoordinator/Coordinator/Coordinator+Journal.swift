import Logging
import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Carries out the actions of the commit pipeline, in order.
  func perform(_ actions: [CommitPipeline.Action], at now: Duration) {
    for action in actions {
      switch action {
      case .reply(let receipt, let requester):
        reply(.receipt(receipt), to: requester.client, request: requester.request)
      case .done(let requester):
        reply(.done(clock.state(at: now)), to: requester.client, request: requester.request)
      case .refuse(let refusal, let requester):
        refuse(refusal, to: requester.client, request: requester.request)
      case .hold(let sequence, let client):
        clients.hold(sequence, by: client, in: runtime, at: now)
      case .apply(let event): applyNow(event, at: now)
      case .submit(let event): runtime.submit(event)
      case .log(let level, let text): logger.log(level: level, "\(text)")
      }
    }
  }

  /// Receives which rows have reached the disk, and applies them.
  func receiveJournalEvents(at now: Duration) {
    guard let registration = watched.journal, poller.isReadable(registration) else { return }
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
        perform(commits.healed(lastRow, in: runtime, clock, clients.presence, at: now), at: now)
      }
    }
  }

  /// Something has changed: a frame was run, or something took effect between frames.
  func changed(at now: Duration) { perform(commits.changed(in: runtime, clock, clients.presence, at: now), at: now) }
}
