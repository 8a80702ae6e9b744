import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionLink

/// A moment: time passes, and both ends receive and send, unless they are suspended.
extension LinkWorld {
  mutating func pass(_ time: Duration) {
    clock.advance(by: time)
    reconnect()
    if clock.now >= coordinatorStoppedUntil { runCoordinator() }
    runWorkers()
    checkBounds()
  }

  private mutating func runCoordinator() {
    let now = clock.now
    while let subscription = subscriptions.receive(at: now) {
      if subscription.begins {
        perform(coordinator.subscribed(to: subscription.topic, at: now))
      } else {
        coordinator.unsubscribed(from: subscription.topic)
      }
    }
    while let envelope = toCoordinator.receive(at: now) { hear(envelope) }
    while let envelope = events.receive(at: now) { hear(envelope) }
    perform(coordinator.deadline(at: now))
  }

  private mutating func hear(_ envelope: Envelope) {
    let isForeign = envelope.epoch != life.epoch || envelope.incarnation != life.incarnation
    if isForeign || coordinator.state == .fenced { foreign += 1 }
    perform(coordinator.received(envelope, at: clock.now))
  }

  private mutating func runWorkers() {
    let now = clock.now
    // A message on a topic reaches every subscriber of it: a worker of an earlier epoch may have the same topic.
    while let subscription = subscriptionsOfCoordinator.receive(at: now) {
      for index in workers.indices {
        if subscription.begins {
          perform(workers[index].link.subscribed(to: subscription.topic, at: now), of: index)
        } else {
          _ = workers[index].link.unsubscribed(from: subscription.topic)
        }
      }
    }
    deliver { $0.toWorkers.receive(at: now) }
    deliver { $0.commands.receive(at: now) }
    deliver { $0.ticks.receive(at: now) }
    for index in workers.indices where now >= workers[index].stoppedUntil {
      let mail = workers[index].mail
      workers[index].mail = []
      for envelope in mail where workers[index].exit == nil { hand(envelope, to: index) }
      perform(workers[index].link.deadline(at: now), of: index)
    }
    workers.removeAll { $0.exit != nil }
  }

  private mutating func deliver(_ next: (inout LinkWorld) -> (Life, Envelope)?) {
    while let (life, envelope) = next(&self) {
      for index in workers.indices where workers[index].life.incarnation == life.incarnation {
        guard workers[index].exit == nil else { continue }
        if clock.now >= workers[index].stoppedUntil {
          hand(envelope, to: index)
        } else {
          keep(envelope, for: index)
        }
      }
    }
  }

  /// Messages for a suspended worker wait for it; of ticks the newest.
  private mutating func keep(_ envelope: Envelope, for index: Int) {
    if case .tick = envelope.body {
      workers[index].mail.removeAll { if case .tick = $0.body { true } else { false } }
    }
    if workers[index].mail.count < Self.mailLimit { workers[index].mail.append(envelope) }
  }

  private mutating func hand(_ envelope: Envelope, to index: Int) {
    let before = workers[index].link.counters.fenced
    perform(workers[index].link.received(envelope, at: clock.now), of: index)
    let isForeign = envelope.epoch != workers[index].life.epoch
    if isForeign, workers[index].link.counters.fenced == before {
      failures.append("\(workers[index].life) was handed a message of epoch \(envelope.epoch) and did not count it")
    }
  }
}
