import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionLink

/// The effects of both ends' actions on the world, and their invariants.
extension LinkWorld {
  mutating func perform(_ actions: [CoordinatorAction]) {
    for action in actions {
      switch action {
      case .send(let envelope): sendOnLink(envelope)
      case .publish(let envelope): publish(envelope)
      case .provideSnapshot:
        if let envelope = coordinator.provide(snapshot, at: clock.now) { sendOnLink(envelope) }
      case .apply(let update): apply(update)
      case .provisioned: provisioned += 1
      case .log, .reported: break
      case .report(let text): failures.append(text)
      case .fence: restartWorker(lingers: true)
      }
    }
  }

  private var snapshot: WorkerSnapshot {
    let executors = live.sorted().map {
      WorkerSnapshot.Executor(
        handle: Self.executor(of: $0), key: Fixture.key, intentions: [Self.plan($0)], displaced: [], driven: [])
    }
    return WorkerSnapshot(frame: Fixture.frame(frame), executors: executors)
  }

  private mutating func sendOnLink(_ envelope: Envelope) {
    note(envelope.sequence, of: "the link to \(life)")
    toWorkers.send((life, envelope), at: clock.now)
  }

  mutating func publish(_ envelope: Envelope) {
    note(envelope.sequence, of: "commands to \(life)")
    commands.send((life, envelope), at: clock.now)
  }

  /// A sender's numbers have no gaps and no repetitions.
  mutating func note(_ sequence: UInt64, of sender: String) {
    let last = lastSequence[sender, default: 0]
    if sequence != last + 1 { failures.append("\(sender): \(sequence) follows \(last)") }
    lastSequence[sender] = sequence
  }

  private mutating func apply(_ update: WorkerUpdate) {
    for event in update.events {
      known.append(event.event)
      let truth = happened[life] ?? []
      if known.count > truth.count || truth[known.count - 1] != event.event || event.number != known.count {
        failures.append("event \(known.count) came as \(event)")
      }
      switch event.event {
      case .started(let executor, let token, _, _): tokens.insert(token, of: executor)
      case .ended(let executor, let token): tokens.remove(token, of: executor)
      case .finished(_, let identity, _), .failed(_, let identity, _): live.remove(identity.sequence)
      case .activity, .emitted: break
      }
    }
    for write in update.writes where write.state.value[0] != Double(update.frame) {
      failures.append("values of frame \(write.state.value[0]) came as those of \(update.frame)")
    }
    if !update.writes.isEmpty, update.writes.map(\.property) != Self.properties(in: update.frame) {
      failures.append("frame \(update.frame) came with the properties \(update.writes.map(\.property))")
    }
  }

  mutating func perform(_ actions: [WorkerAction], of index: Int) {
    for action in actions {
      switch action {
      case .send(let envelope):
        note(envelope.sequence, of: "the link of \(workers[index].life)")
        toCoordinator.send(envelope, at: clock.now)
      case .publish(let envelope): say(envelope, in: index)
      case .subscribe: subscribe(workers[index].life)
      case .provision(let snapshot):
        let plans = snapshot.executors.flatMap(\.intentions).map(\.identity.sequence)
        let again = workers[index].ended.intersection(plans).sorted()
        if !again.isEmpty { failures.append("the plans \(again) have ended, and begin again") }
        workers[index].held = Set(plans)
      case .apply(.add(_, _, let plan)):
        if workers[index].ended.contains(plan.identity.sequence) { failures.append("\(plan.identity) is added again") }
        if !workers[index].held.insert(plan.identity.sequence).inserted {
          failures.append("\(plan.identity) is added twice")
        }
      case .apply(.remove(_, let identity)):
        workers[index].held.remove(identity.sequence)
      case .apply, .inspect: break
      case .leaseLost:
        // As a session does: it ends its tokens itself, and reports this.
        workers[index].held = []
        endTokens(in: index)
      case .run(let frame): run(frame, in: index)
      case .exit(let reason): workers[index].exit = reason
      }
    }
  }

  private mutating func endTokens(in index: Int) {
    for executor in (1...3).map({ Fixture.executor($0) }) {
      for token in workers[index].link.tokens[executor].sorted() {
        workers[index].link.tokens.remove(token, of: executor)
        workers[index].happened.append(.ended(executor, token))
        happened[workers[index].life, default: []].append(.ended(executor, token))
        workers[index].link.record(.ended(executor, token))
      }
    }
  }

  private mutating func say(_ envelope: Envelope, in index: Int) {
    note(envelope.sequence, of: "events of \(workers[index].life)")
    var received = envelope
    if case .update(let update) = envelope.body, case .named = update.shape {
      namedShapes += 1
      // Only what is encoded has its values apart from its rows.
      do { received = try Envelope(decoding: envelope.encoded()) } catch { failures.append("\(error)") }
    }
    events.send(received, at: clock.now)
  }

  /// The properties that a worker writes in a frame: the same for some frames in a row.
  private static func properties(in frame: UInt64) -> [PropertyHandle] {
    (0...frame / 8 % 3).map { PropertyHandle(UInt32($0 + 1)) }
  }

  private mutating func run(_ frame: Frame, in index: Int) {
    let worker = workers[index]
    if frame.number <= worker.lastFrame { failures.append("frame \(frame.number) was run twice") }
    workers[index].lastFrame = frame.number
    if worker.life == life { checkPlans(of: worker, in: frame.number) }
    let writes = Self.properties(in: frame.number).map { Fixture.write(frame.number, to: $0) }
    say(workers[index].link.update(frame: frame.number, writes: writes, at: clock.now), in: index)
  }
}
