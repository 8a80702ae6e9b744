import MotionCore
import MotionModel
import MotionWire

/// Sequences of legal operations with extreme numbers on few properties: plans that take over from each other, here and in a
/// worker, hands, limits that are set and lifted in mid-move, frames of all lengths, what the worker writes, and restarts from a
/// checkpoint.
///
/// Each byte is a choice: of an operation, then of its arguments. Bytes that are missing are 0.
enum Sequences {
  /// More operations than this prove nothing that fewer do not.
  static let most = 96

  static func run(_ bytes: [UInt8]) throws {
    var choices = Choices(bytes)
    let world = try SequenceWorld(tweensInWorker: choices.flag())
    for _ in 0..<most where !choices.isAtEnd { try world.perform(&choices) }
    try World.run(world.runtime, frames: 4)
    try World.checkpoint(world.runtime)
  }
}

/// Bytes as choices.
private struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }
  mutating func flag() -> Bool { byte() & 1 == 1 }
  mutating func one<Element>(of elements: [Element]) -> Element { elements[Int(byte()) % elements.count] }

  /// A number that a client may send: the ends of the range, and what is usual.
  mutating func number() -> Double {
    let numbers = [
      0, 1, -1, 100, -0.5, 1e100, -1e100, 9e99, 1e50, -1e50, 1e9, 1e-100, Double.leastNonzeroMagnitude, 342, 1e15,
      -1e-15, 1.1e100, -1.7e308,
    ]
    return one(of: numbers)
  }

  /// A number that a worker may send: any finite one.
  mutating func anyNumber() -> Double {
    one(of: [0, 1, -1, 1e100, 1e120, -1e120, 9.9e119, 1.7e308, -1.7e308, Double.leastNormalMagnitude / 256, 1e60, -3.5])
  }

  mutating func lanes(_ count: Int, _ number: (inout Choices) -> Double) -> Lanes {
    var lanes = Lanes.zero(count: count)
    for lane in 0..<count { lanes[lane] = number(&self) }
    return lanes
  }

  mutating func feel() -> SpringFeel {
    guard flag() else {
      return .perceived(
        duration: one(of: [.milliseconds(1), .milliseconds(500), .seconds(3600)]),
        bounce: one(of: [0, 1, -0.9999999999999999, 0.5]))
    }
    return .physical(
      tension: one(of: [342, 1e9, 1e-300, Double.leastNonzeroMagnitude, 1]), friction: one(of: [0, 30, 1e9, 1e-300]),
      mass: one(of: [1, 1e-6, 1e6]))
  }
}

/// A runtime with one worker, to which things happen.
private final class SequenceWorld: WorkerPort {
  private static let address = WorkerAddress("both", 0)
  private static let targets: [TargetName] = ["a", "b"]
  /// The properties, with how many lanes each has.
  private static let properties: [(name: PropertyName, lanes: Int)] = [("x", 1), ("position", 2), ("color", 4)]

  private(set) var runtime: Runtime
  private var events: UInt64 = 0
  private var commands: UInt64 = 0

  init(tweensInWorker: Bool) throws {
    var registry = tweensInWorker ? ExecutorRegistry() : try World.registry()
    if tweensInWorker {
      let types = [TweenIntention.description, DraggableIntention.description]
      try registry.register(PluginManifest(name: "both", executable: "both", intentions: types))
    }
    runtime = Runtime(registry: registry)
    runtime.log.keeps = .everything
    begin()
  }

  private func begin() {
    runtime.workerPort = self
    (events, commands) = (0, 0)
    runtime.applyNow(.provisioned(Self.address))
  }

  func need(_ worker: WorkerAddress) {}
  func send(_ command: WorkerCommand, to worker: WorkerAddress) { commands += 1 }
  func provision(_ worker: WorkerAddress, with snapshot: WorkerSnapshot) { commands = 0 }

  /// Lets the next thing happen.
  func perform(_ choices: inout Choices) throws {
    switch choices.byte() % 16 {
    case 0...5: try commit(&choices)
    case 6...8: try frame(&choices)
    case 9...10: try update(&choices)
    case 11: try point(&choices)
    case 12: try take(&choices)
    case 13:
      let targets = choices.flag() ? [] : [choices.one(of: Self.targets)]
      runtime.applyNow(.stop(StopRequest(targets, ramp: choices.flag())))
    case 14:
      runtime.applyNow(.lost(Self.address))
      begin()
    default: try restart()
    }
    try World.check(runtime)
  }

  private func commit(_ choices: inout Choices) throws {
    var transaction = Transaction()
    for _ in 0...Int(choices.byte() % 3) {
      let target = choices.one(of: Self.targets)
      if choices.byte() % 8 == 7 {
        limit(target, of: &transaction, &choices)
        continue
      }
      let plan = intention(&choices)
      if choices.flag() { transaction.add(plan, named: "n", to: target) } else { transaction.add(plan, to: target) }
    }
    let at = choices.byte() % 8 == 7 ? runtime.frame.time + choices.one(of: [0.01, 1, 1e3]) : nil
    try send(transaction)
    do throws(Refusal) { _ = try runtime.commit(transaction, at: at) } catch { try Told.check(error) }
  }

  /// Sets or lifts limits: of usual and extreme numbers, and sometimes of those that are no limits.
  private func limit(_ target: TargetName, of transaction: inout Transaction, _ choices: inout Choices) {
    let usual = [100, 1, 3_000, 10, 1e9, 1e-9, 1e100, 1e-100]
    let refused: [Double] = [
      1.1e100, 0.9e-100, 0, -0.0, .leastNonzeroMagnitude, 1e-300, 1e300, -1, .nan, .infinity, -.infinity,
    ]
    /// One number, one for each of up to four lanes, or none.
    func lanes(_ choices: inout Choices, _ number: (inout Choices) -> Double) -> Lanes? {
      let kind = choices.byte()
      return kind % 4 == 3 ? nil : choices.lanes(kind < 192 ? 1 : Int(kind % 3) + 2, number)
    }
    func limit(_ choices: inout Choices) -> Lanes? {
      lanes(&choices) { $0.one(of: $0.byte() % 8 < 7 ? usual : refused) }
    }
    let property = choices.one(of: Self.properties).name
    switch choices.byte() % 8 {
    case 7: return transaction.liftLimits(property, of: target)
    case 6: return transaction.limit(property, of: target, PropertyLimits())
    default: break
    }
    var limits = PropertyLimits(velocity: limit(&choices), acceleration: limit(&choices), jerk: limit(&choices))
    // Bounds that touch, that are in order, and that may be in disorder.
    if let lower = lanes(&choices, { $0.number() }) {
      let upper = choices.flag() ? lower : lanes(&choices) { $0.number() } ?? Lanes(1e100)
      limits.range = .init(lower, upper)
    }
    switch choices.byte() % 4 {
    case 1: limits.onLost = .hold
    case 2, 3:
      let times = [0, 1, 0.15, 3600, 3600.1, -0.0, -1, .leastNonzeroMagnitude, 1e-300, 1e300, .nan, .infinity]
      limits.onLost = lanes(&choices) { $0.number() }.map { .ramp($0, in: choices.one(of: times)) }
    default: break
    }
    transaction.limit(property, of: target, limits)
  }

  /// What a client sends is what is received, also if it is refused: bit by bit, because a number may be none.
  private func send(_ transaction: Transaction) throws {
    let envelope = Envelope(incarnation: 1, .commit(Commit(transaction, id: TransactionID(high: 1, low: 2))))
    let again: Envelope
    do throws(WireError) {
      again = try Envelope(decoding: envelope.encoded())
    } catch {
      return try Told.check(error)
    }
    try require("\(again)" == "\(envelope)", "\(envelope) is written so that it is read as \(again)")
  }

  private func intention(_ choices: inout Choices) -> Intention {
    let (property, lanes) = choices.one(of: Self.properties)
    let place = choices.lanes(lanes) { $0.number() }
    let velocity = choices.flag() ? choices.lanes(lanes) { $0.number() } : nil
    let kind = choices.byte()
    return intention(of: kind % 10, property, place, velocity, &choices).priority(Self.priority(of: kind))
  }

  /// Of the higher bytes, those of the bounds, of one beyond them, and of a few others.
  private static func priority(of kind: UInt8) -> Int32 {
    switch kind {
    case 0..<200: 0
    case 200: .max
    case 201..<220: 100
    case 220..<230: -100
    default: Int32(kind % 3)
    }
  }

  private func intention(
    of kind: UInt8, _ property: PropertyName, _ place: Lanes, _ velocity: Lanes?, _ choices: inout Choices
  ) -> Intention {
    switch kind {
    case 9:
      let mode: FollowIntention.Mode = choices.one(
        of: [.direct, .smoothing(.seconds(3600)), .smoothing(.milliseconds(1)), .spring(choices.feel())])
      return .follow(property, "fader", mode, scale: choices.one(of: [1, -1e9, 1e9, 1e-300, 0]), offset: velocity)
    case 8:
      func limit(_ choices: inout Choices) -> Double { choices.one(of: [100, 1, 1e100, 1e-100, 1e9, 1e-9]) }
      return .moveTo(
        property, place, finalVelocity: velocity, maxVelocity: limit(&choices), maxAcceleration: limit(&choices),
        maxJerk: limit(&choices), minimumDuration: choices.one(of: [.zero, .seconds(1), .seconds(3600)]),
        arrivesTogether: choices.flag())
    case 0: return .springTo(property, place, choices.feel(), initialVelocity: velocity)
    case 1: return .anchoredSpring(property, place, choices.feel(), initialVelocity: velocity)
    case 2: return .friction(property, coefficient: choices.one(of: [0, 4, 1e9, 1e-300]))
    case 3: return .constantForce(property, acceleration: place)
    case 4:
      let leader = PropertyReference(choices.one(of: Self.targets), choices.one(of: Self.properties).name)
      return .attachWithSpring(property, to: leader, choices.feel())
    case 5: return .draggable()
    default:
      return .tween(
        property, from: velocity, to: place, easing: choices.one(of: ["linear", "cubic-bezier(0,1e9,1,-1e9)", "ease"]),
        duration: choices.one(of: [.seconds(1), .nanoseconds(1), .zero, .seconds(Limits.durationSeconds)]),
        repetition: choices.flag() ? .times(1) : .forever, carries: choices.flag())
    }
  }

  private func frame(_ choices: inout Choices) throws {
    let length = choices.one(of: [1.0 / 120, 1e-9, 1, 1000, Runtime.longestFrame, 1e-300])
    for _ in 0...Int(choices.byte() % 4) {
      runtime.advance(by: length)
      try World.checkLog(runtime)
      try World.check(runtime)
    }
  }

  /// What a worker says that sends finite numbers only, as the link sees to.
  private func update(_ choices: inout Choices) throws {
    var update = WorkerUpdate(frame: runtime.frame.number + 1, commandsApplied: choices.flag() ? commands : 0)
    for _ in 0..<Int(choices.byte() % 4) {
      let lanes = choices.one(of: [1, 2, 4])
      update.writes.append(
        PropertyWrite(
          executor: executor(&choices), property: PropertyHandle(UInt32(choices.byte() % 8) + 1),
          state: PropertyState(
            choices.lanes(lanes) { $0.anyNumber() }, velocity: choices.lanes(lanes) { $0.anyNumber() }),
          imposes: Imposed(rawValue: choices.byte() & 3),
          remaining: choices.one(of: [nil, 0, 1e-300, 0.1, 1.7e308, 0.15])))
    }
    for _ in 0..<Int(choices.byte() % 3) {
      events += 1
      update.events.append(.init(events, event(&choices)))
    }
    runtime.submit(.update(Self.address, update))
  }

  private func executor(_ choices: inout Choices) -> ExecutorHandle { ExecutorHandle(UInt32(choices.byte() % 6) + 1) }

  private func event(_ choices: inout Choices) -> WorkerEvent {
    let executor = executor(&choices)
    switch choices.byte() % 5 {
    case 0: return .activity(executor, choices.flag())
    case 1: return .started(executor, "t", moving: ["position"], from: [choices.lanes(2) { $0.anyNumber() }])
    case 2: return .ended(executor, "t")
    default:
      guard case .intentions(let plans)? = try? runtime.answer(.intentions(nil)), !plans.isEmpty else {
        return .ended(executor, "t")
      }
      return .finished(executor, choices.one(of: plans).identity, .completed)
    }
  }

  private func point(_ choices: inout Choices) throws {
    let place = SIMD2(choices.number(), choices.number())
    let phase = choices.one(of: PointerEvent.Phase.allCases)
    let event = PointerEvent(id: UInt64(choices.byte() % 2), phase, at: place, time: runtime.frame.time)
    do throws(Refusal) {
      try runtime.submit(PointerInput(choices.one(of: Self.targets), from: "hand", [event]))
      // Of one number or several, and of the past or the future.
      let value = choices.flag() ? Lanes(place.x) : [place.x, place.y]
      try runtime.submit(
        InputValues(from: "hand", [InputValue("fader", value, time: place.x.remainder(dividingBy: 3600))]))
    } catch {
      try Told.check(error)
    }
  }

  private func take(_ choices: inout Choices) throws {
    var transaction = Transaction()
    let target = choices.one(of: Self.targets)
    if choices.flag() { transaction.forget(target) } else { transaction.remove(named: "n", from: target) }
    do throws(Refusal) { _ = try runtime.commit(transaction) } catch { try Told.check(error) }
  }

  /// Another process goes on from what this one has stored. What was committed is in the frame before, as in a journal.
  private func restart() throws {
    try World.run(runtime, frames: 1)
    let checkpoint = runtime.checkpoint()
    let again: RuntimeCheckpoint
    do {
      again = try JournalCoding.checkpoint(in: JournalCoding.bytes(of: checkpoint))
    } catch {
      throw FuzzFinding("the checkpoint of a runtime cannot be read: \(error); it is \(checkpoint)")
    }
    try require(again == checkpoint, "the checkpoint of a runtime reads back as another one")
    let next = Runtime(registry: runtime.registry, ratePerSecond: runtime.ratePerSecond)
    next.restore(again)
    runtime = next
    begin()
  }
}
