import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionLink

/// The possible events in either process.
extension LinkWorld {
  /// The coordinator adds a plan, or removes a live one.
  mutating func want() {
    if !live.isEmpty, random.chance(0.3), let plan = live.sorted().randomElement(using: &random) {
      live.remove(plan)
      command(
        .remove(Self.executor(of: plan), Self.identity(of: plan)), owing: owed[owed.count - 1].subtracting([plan]))
    } else {
      lastPlan += 1
      live.insert(lastPlan)
      command(
        .add(Self.executor(of: lastPlan), Fixture.key, Self.plan(lastPlan)),
        owing: owed[owed.count - 1].union([lastPlan]))
    }
  }

  private mutating func command(_ command: WorkerCommand, owing plans: Set<UInt64>) {
    let (number, envelope) = coordinator.send(command, at: clock.now)
    if number != owed.count { failures.append("command \(number) is number \(owed.count)") }
    owed.append(plans)
    if let envelope { publish(envelope) }
  }

  /// The coordinator announces a frame.
  mutating func runFrame() {
    frame += 1
    wantedAtTick[frame] = coordinator.lastCommand
    guard let tick = coordinator.tick(Fixture.frame(frame), at: clock.now) else { return }
    note(tick.sequence, of: "ticks of \(life)")
    ticks.send((life, tick), at: clock.now)
  }

  /// Motion begins, or everything rests: both ends are notified.
  mutating func setActive(_ isActive: Bool) {
    perform(coordinator.setActive(isActive, at: clock.now))
    if let index = current { workers[index].link.setActive(isActive, at: clock.now) }
  }

  /// An event occurs in the worker that must not get lost.
  mutating func happen() {
    guard let index = current, clock.now >= workers[index].stoppedUntil,
      workers[index].link.state.word == "serving" || workers[index].link.isAwaitingSnapshot
    else { return }
    let number = UInt32(workers[index].happened.count) + 1
    let executor = Fixture.executor(UInt64.random(in: 1...3, using: &random))
    let token = (["drag", "pinch", "rotate"] as [TokenName]).randomElement(using: &random) ?? "drag"
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      guard workers[index].link.tokens.insert(token, of: executor) else { return }
      record(.started(executor, token, moving: []), in: index)
    case 1:
      guard workers[index].link.tokens.remove(token, of: executor) else { return }
      record(.ended(executor, token), in: index)
    case 2: finishPlan(in: index, with: number)
    case 3:
      record(
        .emitted(executor, parent: Self.identity(of: 1), ordinal: number, Intention("Tween"), named: nil), in: index)
    default: record(.activity(executor, number % 2 == 0), in: index)
    }
  }

  private mutating func finishPlan(in index: Int, with number: UInt32) {
    guard let plan = workers[index].held.sorted().randomElement(using: &random) else { return }
    workers[index].held.remove(plan)
    workers[index].ended.insert(plan)
    let (executor, identity) = (Self.executor(of: plan), Self.identity(of: plan))
    record(
      random.chance(0.8) ? .finished(executor, identity, .completed) : .failed(executor, identity, reason: "\(number)"),
      in: index)
  }

  private mutating func record(_ event: WorkerEvent, in index: Int) {
    workers[index].happened.append(event)
    happened[workers[index].life, default: []].append(event)
    workers[index].link.record(event)
  }

  /// The connection between both breaks: messages under way are lost, subscriptions end, and return after a while.
  mutating func breakConnection(for time: Duration) {
    toWorkers.lose()
    commands.lose()
    ticks.lose()
    toCoordinator.lose()
    events.lose()
    for subscription in [topics(of: life).commands, topics(of: life).ticks] {
      subscriptions.send(Subscription(topic: subscription, begins: false), at: clock.now)
    }
    subscriptionsOfCoordinator.send(Subscription(topic: topics(of: life).events, begins: false), at: clock.now)
    reconnections.append((clock.now + time, life))
  }

  /// libzmq sends subscriptions that a broken connection removed again, if they were ever made.
  mutating func reconnect() {
    for (due, life) in reconnections where due <= clock.now && life == self.life {
      if let index = current, workers[index].link.isSubscribed { subscribe(life) }
      subscriptionsOfCoordinator.send(Subscription(topic: topics(of: life).events, begins: true), at: clock.now)
    }
    reconnections.removeAll { $0.due <= clock.now }
  }

  /// The worker of a life subscribes to its commands and ticks.
  mutating func subscribe(_ life: Life) {
    for topic in [topics(of: life).commands, topics(of: life).ticks] {
      subscriptions.send(Subscription(topic: topic, begins: true), at: clock.now)
    }
  }

  // MARK: Plans

  static func executor(of plan: UInt64) -> ExecutorHandle { Fixture.executor(plan) }
  static func identity(of plan: UInt64) -> IntentionIdentity { IntentionIdentity(sequence: plan, operation: 0) }
  static func plan(_ number: UInt64) -> PlannedIntention {
    PlannedIntention(
      identity: identity(of: number), intention: Intention("Tween"), name: nil, startFrame: 1, startTime: 0, starts: [])
  }
}

extension WorkerLink {
  /// Whether it was ever welcomed, and so has subscribed.
  fileprivate var isSubscribed: Bool {
    if case .greeting(_, let isSubscribed) = state { isSubscribed } else { true }
  }
}
