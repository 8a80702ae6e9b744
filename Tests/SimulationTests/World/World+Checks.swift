import MotionModel

@testable import MotionCoordinator
@testable import MotionCore
@testable import MotionExecutorKit

/// What must hold after each moment, and in the end.
extension World {
  /// Looks at everything, if the coordinator has had a turn since it was looked at: nothing else changes it.
  func check() {
    guard turns != checkedTurns else { return }
    checkedTurns = turns
    var problems = inside { observer.look(at: $0) } ?? []
    // What clients have left, and where things are, changes with frames alone.
    if observer.sawFrame {
      problems += clients.compactMap { problem(of: $0) }
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
    if let problem { return problem }
    let oldest = hasToHaveApplied(client)
    guard (oldest...client.current).contains(state.last) else {
      return "client \(client.number): \(client.acknowledged) is acknowledged, and \(client.current) was said; "
        + "the last that was applied is \(state.last), in frame \(inside { $0.runtime.frame.number } ?? 0)"
    }
    guard client.states[state.last] == state else {
      return
        "client \(client.number): after its transaction \(state.last) there is \(state), not \(client.states[state.last])"
    }
    guard Set(client.sequences).count == client.sequences.count else {
      return "client \(client.number): two of its transactions have the same sequence: \(client.sequences)"
    }
    return nil
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
        guard let record = runtime.intentions[identity], let mark = Mark(record.intention) else { continue }
        if mark.isExtra { state.extras.append(mark.number) } else { marksHere.append(mark.number) }
      }
      marks.append(marksHere)
    }
    state.last = marks.first?.first ?? 0
    let isWhole = marks.allSatisfy { $0 == marks[0] && $0.count <= 1 }
    return (state, isWhole ? nil : "client \(client.number): of its transactions, half was applied: \(marks)")
  }

  // MARK: In the end

  /// What is not as it has to be some time after all trouble is over; `nil` if everything is.
  func difference() -> String? {
    for client in clients where !client.isSettled {
      return "client \(client.number) waits for its transaction \(client.current): \(client.refusals.suffix(3))"
    }
    for client in clients {
      guard let (state, _) = inside({ state(of: client, in: $0.runtime) }) else { return "there is no coordinator" }
      if state.last != client.current { return "client \(client.number) has \(state) after \(client.current)" }
    }
    return inside { differenceOfWorkers(from: $0) } ?? nil
  }

  /// Every worker holds what the runtime thinks that it holds, and the same tokens.
  private func differenceOfWorkers(from coordinator: isolated Coordinator) -> String? {
    for (address, record) in coordinator.runtime.workers where !record.executors.isEmpty {
      guard let seat = coordinator.seats[address], seat.link != nil, record.isProvisioned else {
        if coordinator.runtime.quarantined[address.plugin] != nil { continue }
        let life = coordinator.seats[address].map { "\($0.life.state)" } ?? "without a seat"
        return "\(address) is needed, and is not there: \(life)"
      }
      guard let worker = workers.first(where: { $0.processID == seat.processID }) else {
        return "\(address) has the process \(seat.processID ?? 0), which is not there"
      }
      for handle in record.executors.sorted() {
        guard let executor = coordinator.runtime.executors[handle] else { return "\(handle) is not there" }
        let wanted = executor.intentions.filter { coordinator.runtime.intentions[$0]?.state == .added }.sorted()
        let held = (worker.session.executors[handle]?.plans.map(\.identity) ?? []).sorted()
        if wanted != held { return "\(address) holds \(held) for \(executor.key), and owes \(wanted)" }
      }
    }
    return nil
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
