import MotionModel

@testable import MotionCoordinator
@testable import MotionCore
@testable import MotionExecutorKit
@testable import MotionLink

/// What must hold after each moment, and in the end.
extension World {
  /// How often the workers of a plugin may die before it is given up.
  private static let deathsAllowed = 5

  /// Looks at everything, after a turn of the coordinator: nothing else changes it.
  func check() {
    var problems = inside { observer.look(at: $0) } ?? []
    problems += inside { problemsOfQuarantine(in: $0) } ?? []
    // Each is compared with the runtime, as a whole, before the one before it is given up.
    if inside({ $0.counters.refusedCheckpoints > 0 }) ?? false { problems.append("a checkpoint was refused") }
    if inside({ !$0.runtime.quarantined.isEmpty || !$0.runtime.quarantinedPlans.isEmpty }) ?? false {
      hasGivenUp = true
    }
    // What clients have left, and where things are, changes with frames alone.
    if observer.sawFrame {
      problems += [inside { follower?.difference(from: $0.runtime) } ?? nil].compactMap { $0 }
      problems += (clients.map { problem(of: $0) } + [problemOfSequences()]).compactMap { $0 }
      for word in inside({ Self.places(in: $0.runtime) }) ?? [] { mix(word) }
    }
    failures += problems.map { "at \(machine.now), start \(starts): \($0)" }
  }

  /// Where everything is, bit by bit.
  private static func places(in runtime: Runtime) -> [UInt64] {
    runtime.properties.occupied.flatMap { slot in
      let (value, velocity) = (runtime.properties.value(at: slot), runtime.properties.velocity(at: slot))
      return (0..<4).flatMap { [value[$0].bitPattern, velocity[$0].bitPattern] }
    }
  }

  /// What one client's transactions have left must be what some of them make of it, one after the other, each whole: all that
  /// were acknowledged, and none that it has not said.
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

  /// Nobody is told a sequence that another transaction has, and what was committed later has a greater one.
  private func problemOfSequences() -> String? {
    for client in everybody where zip(client.sequences, client.sequences.dropFirst()).contains(where: { $0 >= $1 }) {
      return "client \(client.number): its transactions were given the sequences \(client.sequences)"
    }
    let all = everybody.flatMap(\.sequences)
    return Set(all).count == all.count ? nil : "two transactions have the same sequence: \(everybody.map(\.sequences))"
  }

  /// Where nothing that was accepted can have been lost or refused, the sequences count all that there was.
  private func differenceOfSequences() -> String? {
    guard !mayHaveGaps else { return nil }
    let all = everybody.flatMap(\.sequences).sorted()
    return all == all.indices.map { UInt64($0) + 1 } ? nil : "of the sequences, some were given to nobody: \(all)"
  }

  /// What the frame before did not have is there whole in the first that has it, also what passes after a while.
  private func missing(of client: SimulatedClient, after applied: Int, in runtime: Runtime) -> String? {
    let last = client.look
    client.look = (starts, runtime.frame.number, applied)
    // A plan whose plugin was quarantined has failed.
    guard last.start == starts, last.frame + 1 == runtime.frame.number, last.applied < applied,
      runtime.quarantined.isEmpty
    else { return nil }
    let there = client.targets.flatMap { runtime.identities(on: $0) }.compactMap { runtime.intentions[$0]?.intention }
    return client.passing[applied].first { !there.contains($0) && !hasArrived($0, client, runtime) }.map {
      "client \(client.number): of its transaction \(applied), \($0.type) is missing in the first frame that has it"
    }
  }

  /// Whether a spring ended in its first frame, as it may in a long frame over a short way: then its property is exactly at its
  /// destination.
  private func hasArrived(_ intention: Intention, _ client: SimulatedClient, _ runtime: Runtime) -> Bool {
    guard intention.type == "SpringTo", let spring = try? SpringToIntention(intention) else { return false }
    return client.targets.contains { target in
      runtime.state(of: PropertyReference(target, spring.property))?.value == spring.destination
    }
  }

  /// The last transaction of a client that must have taken effect: one that was acknowledged for a frame to come has until
  /// then.
  private func hasToHaveApplied(_ client: SimulatedClient) -> Int {
    let (number, frame, epoch) = client.acknowledged
    let isToCome = inside { $0.runtime.frame.number < frame || (epoch != $0.epoch && $0.counters.frames == 0) } ?? true
    return isToCome ? max(0, number - 1) : number
  }

  /// What is on a client's targets, and what is wrong with it.
  private func state(of client: SimulatedClient, in runtime: Runtime) -> (ClientState, String?) {
    var state = ClientState()
    var marks: [[Int]] = []
    for target in client.targets {
      var marksHere: [Int] = []
      let handles = runtime.targets[target].map { Array($0.executors) } ?? []
      for identity in handles.flatMap({ handle in runtime.executors[handle].map { Array($0.intentions) } ?? [] })
        .sorted()
      {
        guard let record = runtime.intentions[identity] else { continue }
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

  // MARK: In the end

  /// Commands that may be under way to a worker that is told of movements: those of a second of the fastest frames.
  private static let commandsUnderWay: UInt64 = 60

  /// What is not as it has to be some time after all trouble is over; `nil` if everything is.
  func difference() -> String? {
    // Who needs a plugin that was given up is refused until somebody mends it.
    let isGivenUp = inside { !$0.runtime.quarantined.isEmpty } ?? false
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
    return differenceOfSequences() ?? inside { differenceOfWorkers(from: $0) } ?? nil
  }

  /// Every worker holds what the runtime thinks that it holds, no more and no less, and nothing is owed.
  private func differenceOfWorkers(from coordinator: isolated Coordinator) -> String? {
    for (address, record) in coordinator.runtime.workers {
      let isNeeded = !record.executors.isEmpty && coordinator.runtime.quarantined[address.plugin] == nil
      guard let slot = coordinator.slots[address], slot.link != nil, record.isProvisioned else {
        let life = coordinator.slots[address].map { "\($0.life.state)" } ?? "without a slot"
        if isNeeded { return "\(address) is needed, and is not there: \(life)" }
        continue
      }
      guard let worker = workers.first(where: { $0.processID == slot.processID }) else {
        if isNeeded { return "\(address) has the process \(slot.processID ?? 0), which is not there" }
        continue
      }
      if let difference = difference(of: worker, from: record, in: coordinator.runtime) { return difference }
      // Who is being stopped owes nothing more.
      let isMoving = !explorers.isEmpty && coordinator.runtime.isActive
      if isNeeded, let debt = Self.debt(of: worker, to: slot, isMoving: isMoving) { return debt }
    }
    return nil
  }

  private func difference(of worker: SimulatedWorker, from record: WorkerRecord, in runtime: Runtime) -> String? {
    let address = worker.address
    let held = Set(worker.session.executors.keys)
    guard held == record.executors else {
      return "\(address) has the executors \(held.sorted()), and owes \(record.executors.sorted())"
    }
    for wanted in runtime.snapshot(of: address).executors {
      guard let hosted = worker.session.executors[wanted.handle] else { return "\(address) lacks \(wanted.key)" }
      let identities = (hosted.plans.map(\.identity).sorted(), wanted.intentions.map(\.identity).sorted())
      if identities.0 != identities.1 {
        return "\(address) holds \(identities.0) for \(wanted.key), and owes \(identities.1)"
      }
      for plan in wanted.intentions where !hosted.plans.contains(plan) {
        return "\(address) holds another \(plan.identity) than \(plan): \(hosted.plans)"
      }
      if hosted.displaced != Set(wanted.displaced) {
        return "\(address) takes \(hosted.displaced) for displaced, not \(wanted.displaced)"
      }
      let held = worker.session.tokens[wanted.handle].sorted()
      let tokens = runtime.executors[wanted.handle]?.tokens.keys.sorted() ?? []
      if held != tokens { return "\(address) holds the tokens \(held) of \(wanted.key), not \(tokens)" }
    }
    return nil
  }

  /// What one end has said, and the other has not said that it heard.
  ///
  /// - Parameter isMoving: whether something moves for ever, as a force does that nothing brakes: then whoever reads it is told in
  ///   each frame, and acknowledges that with a heartbeat.
  private static func debt(of worker: SimulatedWorker, to slot: WorkerSlot, isMoving: Bool) -> String? {
    guard let link = slot.link else { return nil }
    let isUnderWay = isMoving && link.lastCommand - link.acknowledgedCommand <= commandsUnderWay
    if link.acknowledgedCommand != link.lastCommand, !isUnderWay {
      return "\(worker.address) has acknowledged the commands to \(link.acknowledgedCommand) of \(link.lastCommand)"
    }
    let events = worker.conduct.link.outbox.events
    // An executor that reads what moves is woken, and rests again, with each reading.
    let isReading = isMoving && events.count <= 2 * commandsUnderWay && events.allSatisfy(\.event.isActivity)
    guard !events.isEmpty, !isReading else { return nil }
    return "\(worker.address) waits for the acknowledgement of \(events.count) events: \(events)"
  }

  /// A plugin is given up after so many deaths within a minute, and not before.
  private func problemsOfQuarantine(in coordinator: isolated Coordinator) -> [String] {
    coordinator.runtime.quarantined.keys.sorted().compactMap { plugin in
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

/// What a spring says of the transaction that has made it.
private struct Mark {
  let number: Int
  let isExtra: Bool

  init?(_ intention: Intention) {
    // Not by AnchoredSpringIntention(intention), which checks everything: this is asked of all of them after each frame.
    guard intention.type == "AnchoredSpring" else { return nil }
    switch intention["destination"] {
    case .vector(let place): (number, isExtra) = (Int(place[1]), false)
    case .number(let number): (self.number, isExtra) = (Int(number), true)
    default: return nil
    }
  }
}
