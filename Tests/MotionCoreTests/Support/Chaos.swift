import MotionCore
import MotionModel

/// Random operations and random samples of workers, all from one generator, which a runtime has to withstand.
final class Chaos {
  let runtime: Runtime
  let port = ChaosPort()
  private var random: SplitMix
  /// The number of the last event of each fake worker in its present incarnation.
  private var lastEvents: [WorkerAddress: UInt64] = [:]
  private let targets: [TargetName] = ["a", "b", "c"]
  private let properties: [PropertyName] = ["x", "y"]
  private let names: [IntentionName] = ["n", "m"]
  private let tokens: [TokenName] = ["t", "u"]
  private let outcomes: [Outcome] = [.completed, .displaced]
  private let workers = [WorkerAddress("tween", 0), WorkerAddress("tween", 1), WorkerAddress("gesture", 0)]

  static func registry() throws -> ExecutorRegistry {
    var registry = ExecutorRegistry()
    try registry.register(.tween(instances: 2))
    try registry.register(.gesture)
    return registry
  }

  init(seed: UInt64) throws {
    random = SplitMix(seed: seed)
    runtime = Runtime(registry: try Self.registry(), ratePerSecond: 100)
    runtime.workerPort = port
  }

  func chance(_ probability: Double) -> Bool { Double.random(in: 0...1, using: &random) < probability }
  func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }
  private func number(_ range: ClosedRange<Double> = -100...100) -> Double { Double.random(in: range, using: &random) }

  /// Causes random events, each with some probability, before the next frame.
  func happen() throws {
    if chance(0.3) { try commit() }
    if chance(0.3) { try touch() }
    if chance(0.2) { try send() }
    for worker in workers {
      guard port.living.contains(worker) else {
        if chance(0.1) { provision(worker) }
        continue
      }
      if chance(0.8) { speak(worker) }
      if chance(0.01) { lose(worker) }
      if chance(0.005) { provision(worker) }
    }
    if chance(0.01) {
      runtime.applyNow(.stop(StopRequest(chance(0.5) ? [] : [pick(targets)], ramp: chance(0.5))))
    }
    if chance(0.01) { runtime.submit(.withdraw([UInt64.random(in: 1...200, using: &random)])) }
    if chance(0.002) { runtime.applyNow(.quarantined("tween", reason: "chaos")) }
    if chance(0.02) { runtime.applyNow(.restored("tween")) }
    if chance(0.02) { try tryWorker() }
  }

  /// Withholds intentions from a worker or ends that, and sometimes quarantines an intention.
  private func tryWorker() throws {
    let rows = try intentions()
    let some = rows.filter { _ in chance(0.5) }.map(\.identity)
    runtime.applyNow(.withheld(pick(workers), chance(0.5) ? some : nil))
    if chance(0.3), let one = rows.randomElement(using: &random) {
      runtime.applyNow(.planQuarantined(one.identity, reason: "chaos"))
    }
  }

  private func intentions() throws -> [IntentionRow] {
    guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else { return [] }
    return rows.filter { $0.state != .failed }
  }

  private func touch() throws {
    let event = PointerEvent(
      id: UInt64.random(in: 0...2, using: &random), pick(PointerEvent.Phase.allCases), at: [number(), number()],
      time: runtime.frame.time)
    try runtime.submit(PointerInput(pick(targets), from: "hand", [event]))
  }

  private func send() throws {
    let value: Lanes? = chance(0.1) ? nil : chance(0.1) ? [number(), number()] : Lanes(number())
    try runtime.submit(
      InputValues(
        from: chance(0.5) ? "desk" : "sensor",
        [InputValue(chance(0.5) ? "f" : "g", value, time: runtime.frame.time + number(-0.1...0.1))]))
  }

  private func commit() throws {
    var transaction = Transaction()
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let target = pick(targets)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: transaction.remove(named: pick(names), from: target)
      case 1 where chance(0.2): transaction.forget(target)
      case 2 where chance(0.4): transaction.limit(pick(properties), of: target, limits())
      default:
        if chance(0.3) {
          transaction.add(intention(), named: pick(names), to: target)
        } else {
          transaction.add(intention(), to: target)
        }
      }
    }
    do {
      try runtime.commit(transaction, at: chance(0.2) ? runtime.frame.time + number(0...1) : nil)
    } catch {
      guard error.code == .quarantined else { throw error }
    }
  }

  /// Limits, some of which hold back what the workers say.
  private func limits() -> PropertyLimits {
    var limits = PropertyLimits()
    if chance(0.5) { limits.range = .init(Lanes(number(-100...0)), Lanes(number(0...100))) }
    if chance(0.5) { limits.velocity = Lanes(number(1...1000)) }
    if chance(0.5) { limits.acceleration = Lanes(number(10...10_000)) }
    if chance(0.3) { limits.jerk = Lanes(number(100...1_000_000)) }
    if chance(0.3) { limits.onLost = .ramp(Lanes(0), in: number(0...2)) }
    return limits
  }

  private func intention() -> Intention {
    var intention = chance(0.3) ? rareIntention() : anyIntention()
    if chance(0.15) { intention.after = number(0...1) }
    return chance(0.3) ? intention.priority(pick([-5, 3, 7])) : intention
  }

  private func rareIntention() -> Intention {
    let property = pick(properties)
    switch Int.random(in: 0..<5, using: &random) {
    case 3: return .wave(property, rate: Lanes(number(-5...5)), offset: Lanes(number()), amplitude: Lanes(number()))
    case 0:
      return .attachWithSpring(property, to: PropertyReference(pick(targets), property == "x" ? "y" : "x"))
    case 1: return .constantForce(property, acceleration: Lanes(number()))
    case 2: return chance(0.5) ? .tossable(destination: [number(), number()]) : .fadeIn()
    default:
      return .moveTo(
        property, Lanes(number()), maxVelocity: number(10...100), maxAcceleration: number(100...1000),
        maxJerk: number(1000...100_000), arrivesTogether: chance(0.5))
    }
  }

  private func anyIntention() -> Intention {
    let property = pick(properties)
    switch Int.random(in: 0..<9, using: &random) {
    case 5:
      let modes: [FollowIntention.Mode] = [.spring(.default), .smoothing(.milliseconds(50)), .direct]
      return .follow(property, chance(0.5) ? "f" : "g", pick(modes))
    case 0, 1: return .springTo(property, Lanes(number()))
    case 2: return .anchoredSpring(property, Lanes(number()))
    case 3: return .friction(property, coefficient: number(0...5))
    case 4: return .draggable(property)
    default: return .tween(property, to: Lanes(number()))
    }
  }

  func provision(_ worker: WorkerAddress) {
    port.living.insert(worker)
    runtime.applyNow(.provisioned(worker))
  }

  func lose(_ worker: WorkerAddress) {
    port.kill(worker)
    lastEvents[worker] = 0
    runtime.applyNow(.lost(worker))
  }

  /// Sends an update that a worker could send or, now and then, one that it must not.
  private func speak(_ worker: WorkerAddress) {
    var writes: [PropertyWrite] = []
    var events: [WorkerEvent] = []
    for (executor, plans) in port.plans(of: worker) {
      for plan in plans {
        guard let start = plan.starts.first else { continue }
        if chance(0.7) { writes.append(write(executor, start.handle)) }
        if chance(0.05) { events.append(.finished(executor, plan.identity, pick(outcomes))) }
        if chance(0.01) { events.append(.failed(executor, plan.identity, reason: "chaos")) }
        let moving: [PropertyName] = chance(0.7) ? [start.property] : []
        if chance(0.05) { events.append(.started(executor, pick(tokens), moving: moving)) }
        if chance(0.01) {
          let ordinal = UInt32.random(in: 0...2, using: &random)
          events.append(.emitted(executor, parent: plan.identity, ordinal: ordinal, intention(), named: nil))
        }
      }
      if chance(0.3) { events.append(.activity(executor, chance(0.6))) }
      if chance(0.2) { events.append(.ended(executor, pick(tokens))) }
    }
    let stranger = ExecutorHandle(UInt32.random(in: 0...50, using: &random))
    if chance(0.02) { writes.append(write(stranger, PropertyHandle(1))) }
    let last = lastEvents[worker] ?? 0
    lastEvents[worker] = last + UInt64(events.count)
    events.shuffle(using: &random)
    let numbered = events.enumerated().map { index, event in
      WorkerUpdate.NumberedEvent(last + UInt64(index) + 1, event)
    }
    let frame: UInt64 = runtime.frame.number + (chance(0.9) ? 1 : 0)
    let update = WorkerUpdate(
      frame: frame, writes: writes, events: numbered, commandsApplied: port.commandsSent(to: worker))
    runtime.submit(.update(worker, update))
  }

  private func write(_ executor: ExecutorHandle, _ property: PropertyHandle) -> PropertyWrite {
    let value: Double = chance(0.01) ? .nan : number()
    let velocity: Double = number()
    let imposes = Imposed(rawValue: UInt8.random(in: 0...3, using: &random))
    let remaining: Double? = chance(0.5) ? number(0...1) : nil
    let carry: Double? = chance(0.5) ? number(0...0.15) : nil
    return PropertyWrite(
      executor: executor, property: property, state: PropertyState(Lanes(value), velocity: Lanes(velocity)),
      imposes: imposes, remaining: remaining, carry: carry)
  }

  /// Ends everything: each worker is lost and provisioned again, everything is stopped, and the workers acknowledge it.
  func calmDown() {
    runtime.applyNow(.restored("tween"))
    for worker in workers {
      runtime.applyNow(.withheld(worker, nil))
      if !port.living.contains(worker) { provision(worker) }
      lose(worker)
      provision(worker)
    }
    runtime.applyNow(.stop([]))
    for _ in 0..<2 {
      for worker in workers {
        runtime.submit(
          .update(
            worker,
            WorkerUpdate(frame: runtime.frame.number + 1, commandsApplied: port.commandsSent(to: worker))))
      }
      runtime.advance()
    }
    // Under limits, what moved brakes at 10 a second squared or more, from 1000 a second or less.
    for _ in 0..<20_000 where runtime.wantsFrames { runtime.advance() }
  }
}

/// Workers that do nothing by themselves but keep the commands they receive.
final class ChaosPort: WorkerPort {
  var living: Set<WorkerAddress> = []
  private var held: [WorkerAddress: [ExecutorHandle: [PlannedIntention]]] = [:]
  private var sent: [WorkerAddress: UInt64] = [:]

  func need(_ worker: WorkerAddress) {}

  func provision(_ worker: WorkerAddress, with snapshot: WorkerSnapshot) {
    held[worker] = [:]
    for executor in snapshot.executors { held[worker]?[executor.handle] = executor.intentions }
  }

  func send(_ command: WorkerCommand, to worker: WorkerAddress) {
    sent[worker, default: 0] += 1
    switch command {
    case .add(let executor, _, let plan): held[worker]?[executor, default: []].append(plan)
    case .remove(let executor, let identity): held[worker]?[executor]?.removeAll { $0.identity == identity }
    case .removeExecutor(let executor): held[worker]?[executor] = nil
    case .displaced, .resumed, .properties, .input, .shutdown: break
    }
  }

  func kill(_ worker: WorkerAddress) {
    living.remove(worker)
    sent[worker] = 0
    held[worker] = nil
  }

  func commandsSent(to worker: WorkerAddress) -> UInt64 { sent[worker] ?? 0 }

  func plans(of worker: WorkerAddress) -> [(ExecutorHandle, [PlannedIntention])] {
    (held[worker] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
