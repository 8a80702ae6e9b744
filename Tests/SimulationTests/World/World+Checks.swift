import MotionModel

@testable import MotionCoordinator
@testable import MotionCore
@testable import MotionExecutorKit
@testable import MotionLink

/// Invariants after each moment and at the end.
extension World {
  /// The number of deaths of workers at which their plugin is quarantined.
  private static let deathsAllowed = 5

  /// Checks everything after a turn of the coordinator: nothing else changes it.
  func check() {
    var problems = inside { [now = machine.now] in observer.look(at: $0, at: now) } ?? []
    problems += inside { problemsOfQuarantine(in: $0) } ?? []
    // Each checkpoint is compared with the runtime as a whole, before the previous one is deleted.
    if inside({ $0.commits.refusedCheckpoints > 0 }) ?? false { problems.append("a checkpoint was refused") }
    if inside({ !$0.runtime.workers.quarantined.isEmpty || !$0.runtime.retirement.quarantinedPlans.isEmpty }) ?? false {
      hasGivenUp = true
    }
    // The plans of clients and the states of properties change only with frames.
    if observer.sawFrame {
      problems += inside { [granted] in DriverCheck.problems(in: $0.runtime, granted: granted) } ?? []
      let seen = observer.lifts.paths + observer.waves.paths + observer.fades.paths
      for path in (inside { DriverCheck.paths(in: $0.runtime) } ?? []) + seen { census.note(path) }
      problems += [inside { follower?.difference(from: $0.runtime) } ?? nil].compactMap { $0 }
      problems += (clients.map { problem(of: $0) } + [problemOfSequences()]).compactMap { $0 }
      for word in inside({ Self.places(in: $0.runtime) }) ?? [] { mix(word) }
    }
    inside { [states] in states.look(at: $0) }
    for path in states.paths + observer.cues.paths { census.note(path) }
    problems += states.take()
    failures += problems.map { "at \(machine.now), start \(starts): \($0)" }
  }

  /// The value and velocity of every property, bit by bit.
  private static func places(in runtime: Runtime) -> [UInt64] {
    runtime.movement.properties.occupied.flatMap { slot in
      let (value, velocity) = (
        runtime.movement.properties.value(at: slot), runtime.movement.properties.velocity(at: slot)
      )
      return (0..<4).flatMap { [value[$0].bitPattern, velocity[$0].bitPattern] }
    }
  }

  /// The state of one client's targets must be the result of its first transactions, applied in order and completely:
  /// all acknowledged ones, and none that it has not sent.
  private func problem(of client: SimulatedClient) -> String? {
    guard let (state, problem) = inside({ state(of: client, in: $0.runtime) }) else { return nil }
    if let problem = problem ?? inside({ missing(of: client, after: state.last, in: $0.runtime) }) ?? nil {
      return problem
    }
    let oldest = hasToHaveApplied(client)
    guard (oldest...client.current).contains(state.last) else {
      return "client \(client.number): \(client.acknowledged) is acknowledged, and \(client.current) was said; "
        + "the last that was applied is \(state.last), in frame \(inside { $0.runtime.frame.number } ?? 0)"
    }
    var expected = client.states[state.last]
    if hasGivenUp { expected.stretches = state.stretches }
    guard expected == state else {
      return "client \(client.number): after its transaction \(state.last) there is \(state), not \(expected)"
    }
    return nil
  }

  /// No two transactions have the same sequence, and a later commit of a client has a greater one.
  private func problemOfSequences() -> String? {
    for client in everybody where zip(client.sequences, client.sequences.dropFirst()).contains(where: { $0 >= $1 }) {
      return "client \(client.number): its transactions were given the sequences \(client.sequences)"
    }
    let all = everybody.flatMap(\.sequences)
    return Set(all).count == all.count ? nil : "two transactions have the same sequence: \(everybody.map(\.sequences))"
  }

  /// If no accepted transaction can have been lost or refused, the sequences have no gaps.
  private func differenceOfSequences() -> String? {
    guard !mayHaveGaps else { return nil }
    let all = (everybody.flatMap(\.sequences) + notes.ofCues).sorted()
    return all == all.indices.map { UInt64($0) + 1 } ? nil : "of the sequences, some were given to nobody: \(all)"
  }

  /// The plans of a transaction are all present in the first frame that contains it, including those that end after a
  /// while.
  private func missing(of client: SimulatedClient, after applied: Int, in runtime: Runtime) -> String? {
    let last = client.look
    client.look = (starts, runtime.frame.number, applied)
    // A plan whose plugin was quarantined has failed.
    guard last.start == starts, last.frame + 1 == runtime.frame.number, last.applied < applied,
      runtime.workers.quarantined.isEmpty
    else { return nil }
    let there = client.targets.flatMap { runtime.plans.identities(on: $0) }.compactMap {
      runtime.plans.intentions[$0]?.intention
    }
    return client.passing[applied].first { !there.contains($0) && !hasArrived($0, client, runtime) }.map {
      "client \(client.number): of its transaction \(applied), \($0.type) is missing in the first frame that has it"
    }
  }

  /// Whether a spring ended in its first frame, as it may in a long frame over a short distance: then its property is
  /// exactly at its destination.
  private func hasArrived(_ intention: Intention, _ client: SimulatedClient, _ runtime: Runtime) -> Bool {
    guard intention.type == "SpringTo", let spring = try? SpringToIntention(intention) else { return false }
    return client.targets.contains { target in
      runtime.state(of: PropertyReference(target, spring.property))?.value == spring.destination
    }
  }

  /// The last transaction of a client that must have taken effect. A transaction that was acknowledged for a later
  /// frame takes effect in that frame.
  private func hasToHaveApplied(_ client: SimulatedClient) -> Int {
    let (number, frame, epoch) = client.acknowledged
    let isToCome =
      inside { $0.runtime.frame.number < frame || (epoch != $0.epoch && $0.frames.counters.frames == 0) } ?? true
    return isToCome ? max(0, number - 1) : number
  }

  /// The state of a client's targets, and a problem with it.
  private func state(of client: SimulatedClient, in runtime: Runtime) -> (ClientState, String?) {
    var state = ClientState()
    var marks: [[Int]] = []
    for target in client.targets {
      var marksHere: [Int] = []
      let handles = runtime.plans.targets[target].map { Array($0.executors) } ?? []
      for identity in handles.flatMap({ handle in runtime.plans.executors[handle].map { Array($0.intentions) } ?? [] })
        .sorted()
      {
        guard let record = runtime.plans.intentions[identity] else { continue }
        if record.intention.type == "SquashAndStretch" { state.stretches += 1 }
        guard let mark = Mark(record.intention) else { continue }
        if mark.isExtra { state.extras.append(mark.number) } else { marksHere.append(mark.number) }
      }
      marks.append(marksHere)
    }
    state.last = marks.first?.first ?? 0
    let isWhole = marks.allSatisfy { $0 == marks[0] && $0.count <= 1 }
    return (state, isWhole ? nil : "client \(client.number): of its transactions, half was applied: \(marks)")
  }

  // MARK: At the end

  /// The number of commands that may be unacknowledged by a worker that reads movements: those of one second at the
  /// highest frame rate.
  private static let commandsUnderWay: UInt64 = 60

  /// A remaining difference from the required state some time after the faults ended; `nil` if there is none.
  func difference() -> String? {
    // A client that needs a quarantined plugin is refused until an operator repairs the plugin.
    let isGivenUp = inside { !$0.runtime.workers.quarantined.isEmpty } ?? false
    for client in clients where !client.isSettled && !(isGivenUp && client.isRefusedForGood) {
      return "client \(client.number) waits for its transaction \(client.current): \(client.refusals.suffix(3))"
    }
    for explorer in explorers where !explorer.isSettled {
      return "explorer \(explorer.number) waits for an answer: \(explorer.refusals.suffix(3))"
    }
    for client in clients {
      guard let (state, _) = inside({ state(of: client, in: $0.runtime) }) else { return "there is no coordinator" }
      guard !client.isSettled || state.last == client.current else {
        return "client \(client.number) has \(state) after \(client.current)"
      }
    }
    return differenceOfSequences() ?? inside { differenceOfInputs(in: $0) ?? differenceOfWorkers(from: $0) } ?? nil
  }

  /// Every input value that is not held belongs to a client whose end withdraws it.
  private func differenceOfInputs(in coordinator: isolated Coordinator) -> String? {
    let runtime = coordinator.runtime
    // A newer value, or a withdrawal, may wait for a frame.
    let left = runtime.inputs.first { row in
      !row.isHeld && !runtime.plans.inputs.hasWaiting(row.name) && !coordinator.clients.presence.watches(row.name)
    }
    return left.map { "the input \($0.name) has the value \($0.value) of a client that is gone" }
  }

  /// Every worker holds exactly the state that the runtime expects, and everything is acknowledged.
  private func differenceOfWorkers(from coordinator: isolated Coordinator) -> String? {
    for (address, record) in coordinator.runtime.workers.records {
      let isNeeded = !record.executors.isEmpty && coordinator.runtime.workers.quarantined[address.plugin] == nil
      guard let slot = coordinator.workers.table[address], slot.link != nil, record.isProvisioned else {
        let life = coordinator.workers.table[address].map { "\($0.life.state)" } ?? "without a slot"
        if isNeeded { return "\(address) is needed, and is not there: \(life)" }
        continue
      }
      guard let worker = workers.first(where: { $0.processID == slot.running?.id }) else {
        if isNeeded { return "\(address) has the process \(slot.running?.id ?? 0), which is not there" }
        continue
      }
      if let difference = difference(of: worker, from: record, in: coordinator.runtime) { return difference }
      // A worker that is being stopped need not acknowledge anything.
      let isMoving = !explorers.isEmpty && coordinator.runtime.isActive
      if isNeeded, let debt = Self.debt(of: worker, to: slot, isMoving: isMoving) { return debt }
    }
    return nil
  }

  private func difference(of worker: SimulatedWorker, from record: WorkerRecord, in runtime: Runtime) -> String? {
    let address = worker.address
    let held = Set(worker.session.executors.keys)
    // A worker gets to know of an executor with its first plan, which may wait.
    let waiting = record.executors.filter { handle in
      let plans = runtime.plans.executors[handle]?.intentions.compactMap { runtime.plans.intentions[$0] } ?? []
      return !plans.isEmpty && plans.allSatisfy { $0.state == .waiting }
    }
    guard held.union(waiting) == record.executors else {
      return "\(address) has the executors \(held.sorted()), and owes \(record.executors.sorted())"
    }
    for wanted in runtime.updates.snapshot(of: address).executors {
      guard let hosted = worker.session.executors[wanted.handle] else {
        if waiting.contains(wanted.handle) { continue }
        return "\(address) lacks \(wanted.key)"
      }
      let identities = (hosted.plans.map(\.identity).sorted(), wanted.intentions.map(\.identity).sorted())
      if identities.0 != identities.1 {
        return "\(address) holds \(identities.0) for \(wanted.key), and owes \(identities.1)"
      }
      for plan in wanted.intentions where !hosted.plans.contains(plan) {
        return "\(address) holds another \(plan.identity) than \(plan): \(hosted.plans)"
      }
      // A hand that let go while it was displaced has nothing to write; its next touch takes the property again.
      let displaced = hosted.displaced.filter { property in
        let slot = runtime.plans.find(PropertyReference(wanted.key.target, property))
        return slot.map { runtime.movement.properties[$0].stack.speakers.contains(wanted.handle) } ?? true
      }
      if displaced != Set(wanted.displaced) {
        return "\(address) takes \(displaced) for displaced, not \(wanted.displaced)"
      }
      let held = worker.session.tokens[wanted.handle].sorted()
      let tokens = runtime.plans.executors[wanted.handle]?.tokens.keys.sorted() ?? []
      if held != tokens { return "\(address) holds the tokens \(held) of \(wanted.key), not \(tokens)" }
    }
    return nil
  }

  /// Messages that one end has sent and the other has not acknowledged.
  ///
  /// - Parameter isMoving: whether a property moves for ever, as under a force without friction. Then a worker that
  ///   reads it receives a command in each frame, and acknowledges it with a heartbeat.
  private static func debt(of worker: SimulatedWorker, to slot: WorkerSlot, isMoving: Bool) -> String? {
    guard let link = slot.link else { return nil }
    let isUnderWay = isMoving && link.lastCommand - link.acknowledgedCommand <= commandsUnderWay
    if link.acknowledgedCommand != link.lastCommand, !isUnderWay {
      return "\(worker.address) has acknowledged the commands to \(link.acknowledgedCommand) of \(link.lastCommand)"
    }
    let events = worker.conduct.link.outbox.events
    // An executor that reads a moving property becomes active and rests again with each reading.
    let isReading = isMoving && events.count <= 2 * commandsUnderWay && events.allSatisfy(\.event.isActivity)
    guard !events.isEmpty, !isReading else { return nil }
    return "\(worker.address) waits for the acknowledgement of \(events.count) events: \(events)"
  }

  /// A plugin is quarantined after this number of deaths within a minute, and not before.
  private func problemsOfQuarantine(in coordinator: isolated Coordinator) -> [String] {
    coordinator.runtime.workers.quarantined.keys.sorted().compactMap { plugin in
      let recent = deaths.count { $0.plugin == plugin && $0.start == starts }
      guard recent < Self.deathsAllowed else { return nil }
      return "\(plugin) is given up, and its workers died \(recent) times"
    }
  }
}

extension WorkerEvent {
  fileprivate var isActivity: Bool {
    if case .activity = self { true } else { false }
  }
}

/// The transaction that added a spring, as encoded in its destination.
private struct Mark {
  let number: Int
  let isExtra: Bool

  init?(_ intention: Intention) {
    // Not by AnchoredSpringIntention(intention), which validates everything: this runs for every spring after each
    // frame.
    guard intention.type == "AnchoredSpring" else { return nil }
    switch intention["destination"] {
    case .vector(let place): (number, isExtra) = (Int(place[1]), false)
    case .number(let number): (self.number, isExtra) = (Int(number), true)
    default: return nil
    }
  }
}
