import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionClient

/// A client that sends every request of the protocol, in random order: transactions of all operations and types,
/// immediate, later and while connected, stops, clock commands, input, restarts of plugins, and queries.
///
/// Explorers share a few targets and names, so that these become empty again and again.
final class Explorer: ConversingClient, @unchecked Sendable {
  /// The names of explorers' targets begin with this prefix.
  static let prefix = "e."

  /// The request that it resends until it has the outcome.
  private var request: (body: Envelope.Body, isRepeatable: Bool)?
  /// The requests that it still sends after it has stopped starting new ones.
  private var farewell: [Envelope.Body] = []
  /// When it disconnects, until the faults end.
  var leaves: Duration?
  /// Its acknowledged transactions, by their sequences.
  private(set) var acknowledged: [UInt64: Commit] = [:]
  /// The segments of the history, as of the last answer.
  private var segments: [UInt64] = []
  /// The refusals that it received, with their reasons.
  private(set) var refusals: [String] = []
  /// The simulated time in the last answer about the clock.
  private var time = 0.0
  /// Whether the clock was paused in that answer.
  private var hasPaused = false
  /// Whether motion was held then.
  private var isHeld = false
  /// Its pointer that is down, and the position.
  private var hand: (target: TargetName, id: UInt64, place: SIMD2<Double>)?
  /// The requests that it sends next, one after the other, and how many milliseconds it waits after each.
  var script: [(body: Envelope.Body, pause: ClosedRange<Int>)] = []
  /// Whether it has not sent a request yet.
  private var isNew = true
  /// The pause after the request of the script that it has sent.
  var scriptedPause: ClosedRange<Int>?
  let plans: RandomPlans
  private let plugins: [PluginName]
  let isAlone: Bool

  /// - Parameters:
  ///   - isAlone: whether all clients are explorers, so that it may stop everything.
  ///   - targets: the number of its targets.
  init(_ number: Int, seed: UInt64, targets: Int, plugins: [PluginName], isAlone: Bool) throws {
    // The initial velocity of a new spring would change a property that a restart must leave unchanged.
    plans = RandomPlans(
      on: try (1...targets).map { try TargetName("\(Self.prefix)\($0)") },
      // Of the types in workers, the first is the one that can be displaced and resumed, and the second has targets in a text.
      types: BuiltInIntentions.all + Array(repeating: SquashAndStretchIntention.description, count: 3)
        + Array(repeating: SendDMXIntention.description, count: 2),
      omitting: ["initialVelocity"], limiting: true, ranking: true, selecting: true, picturing: true, cueing: .all,
      delaying: true)
    (self.plugins, self.isAlone) = (plugins, isAlone)
    var random = SeededRandom(seed: seed)
    let incarnation = random.next() | 1
    super.init(number, random: random, incarnation: incarnation, name: "explorer \(number)")
  }

  /// Whether it has the outcome of every request.
  var isSettled: Bool { request == nil && farewell.isEmpty }

  /// Starts no new requests, resets the clock, sends one more query and looks back once more: scenarios are too short to
  /// cover all of these otherwise.
  func finish() {
    isBusy = false
    (leaves, hasLeft) = (nil, false)
    farewell = [.clock(.resume), .clock(.release), .clock(.speed(1)), .query(query()), .historyRequest(lookBack())]
  }

  // MARK: Its turns

  override var wantsToAsk: Bool { isBusy || !isSettled }

  override func nextRequest(at now: Duration) -> (body: Envelope.Body, isRepeatable: Bool)? {
    if let leaves, now >= leaves { hasLeft = true }
    if hasLeft { return nil }
    if request == nil, isBusy || !farewell.isEmpty {
      let body = isBusy ? make() : farewell.removeFirst()
      // A step must not be repeated: two steps have another effect than one.
      if case .clock(.step) = body { request = (body, false) } else { request = (body, true) }
    }
    return request
  }

  override func told(at now: Duration) {
    request = nil
    pauseUntil = now + .milliseconds(Int.random(in: 0...250, using: &random))
  }

  override func finished(_ outcome: Result<Envelope.Body, MotionClientError>, at now: Duration) {
    let range = scriptedPause ?? (hand == nil ? 0...250 : 5...40)
    pauseUntil = now + .milliseconds(Int.random(in: range, using: &random))
    // Sometimes waits until a checkpoint contains the current state.
    if case .commit? = request?.body, scriptedPause == nil, random.chance(0.2) {
      pauseUntil = now + .milliseconds(Int.random(in: 800...1600, using: &random))
    }
    switch outcome {
    case .success(let body):
      if case .receipt(let receipt) = body, case .commit(let commit)? = request?.body {
        acknowledged[receipt.sequence] = commit
      }
      if case .history(.segments(let list)) = body { segments = list.segments.map(\.number) }
      if case .done(let clock, _) = body { (time, hasPaused, isHeld) = (clock.time, clock.isPaused, clock.hold != nil) }
      request = nil
    case .failure(let error):
      refusals.append("\(error)")
      guard case .commit(let commit)? = request?.body,
        error.refusal.map({ $0.code == .storage || $0.code == .stopping }) ?? true
      else {
        request = nil
        return
      }
      // The outcome is unknown, so it resends the commit. At the end it does so after the clock runs again: without
      // that, a journal that has failed may have no checkpoint from which to continue.
      if !isBusy, !farewell.isEmpty {
        farewell.append(.commit(commit))
        request = nil
      }
      pauseUntil = now + .milliseconds(Int.random(in: 100...800, using: &random))
    }
  }

  // MARK: Its requests

  private func make() -> Envelope.Body {
    scriptedPause = nil
    if !script.isEmpty { return nextOfScript() }
    if isNew {
      // At the beginning, because scenarios are short: by chance few scripts would come to their end.
      isNew = false
      if let first = beginScript() { return first }
    }
    // Otherwise the clock would seldom be paused for long enough that anything happens meanwhile.
    if hasPaused || isHeld, random.chance(0.4) { return .clock(clockCommand()) }
    if let hand, random.chance(0.1) { return commitOver(hand.target) }
    if hand != nil, random.chance(0.8) { return move() }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<54: return commit()
    case 54..<62:
      if random.chance(0.2) {
        let selector = plans.selector(&random)
        return .stop(StopRequest(each: selector, outputs: random.chance(0.3), ramp: random.chance(0.5)))
      }
      let targets = isAlone && random.chance(0.3) ? [] : [pick(plans.targets)]
      return .stop(StopRequest(targets, outputs: random.chance(0.3), ramp: random.chance(0.5)))
    case 62..<73: return .clock(clockCommand())
    case 73..<77: return touch()
    case 77..<79: return sendValues()
    case 79..<81: return .restart(pick(plugins))
    case 81..<88: return cancel()
    case 88..<96: return .query(query())
    case 96..<99: return .historyRequest(lookBack())
    default: return .alive
    }
  }

  /// Commits a plan that takes a property out of its hand.
  func commitOver(_ target: TargetName, _ dragged: PropertyName? = nil) -> Envelope.Body {
    var transaction = Transaction()
    let property = dragged ?? (random.chance(0.7) ? "position" : "translation")
    let place: Lanes = [.random(in: -100...100, using: &random), .random(in: -100...100, using: &random)]
    let plan: Intention = random.chance(0.5) ? .springTo(property, place) : .anchoredSpring(property, place)
    transaction.add(plan.priority(random.chance(0.8) ? 1 : 5), named: pick(plans.names), to: target)
    return .commit(Commit(transaction, id: TransactionID(high: random.next() | 1, low: random.next())))
  }

  private func commit() -> Envelope.Body {
    // Most are due before the next checkpoint.
    let delays = random.chance(0.6) ? 0...0.8 : -0.5...2.5
    let at = random.chance(0.3) ? time + Double.random(in: delays, using: &random) : nil
    return .commit(
      Commit(
        plans.transaction(&random), id: TransactionID(high: random.next() | 1, low: random.next()), at: at,
        whileConnected: random.chance(leaves == nil ? 0.1 : 0.5)))
  }

  /// Looks back: at a segment that may be gone by now, from any byte on. Everything before may be erased.
  private func lookBack() -> HistoryRequest {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .erase
    case 1: return .segments
    default:
      let segment = segments.isEmpty ? 1 : pick(segments)
      return .part(segment: segment, offset: random.chance(0.5) ? 0 : UInt64.random(in: 0...100_000, using: &random))
    }
  }

  /// Cancels one of its transactions that may still wait. If it does not wait any more, the cancellation is refused.
  private func cancel() -> Envelope.Body {
    let later = acknowledged.filter { $0.value.at != nil }.keys.sorted()
    return later.last.map { .cancel($0) } ?? .query(.waiting)
  }

  private func clockCommand() -> ClockCommand {
    // Long steps last until workers have reported about each frame.
    let frames: ClosedRange<UInt64> = random.chance(0.5) ? 1...20 : 50...250
    if hasPaused, random.chance(0.6) { return .step(.random(in: frames, using: &random)) }
    if isHeld, random.chance(0.6) { return .release }
    return switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2: .pause
    case 3, 4: .resume
    case 5: .hold(ClockHold(refuses: random.chance(0.3)))
    case 6: .release
    default: .speed(pick([0.25, 0.5, 1, 2]))
    }
  }

  private func query() -> Query {
    let target = random.chance(0.5) ? pick(plans.targets) : nil
    switch Int.random(in: 0..<18, using: &random) {
    case 17: return .cues(random.chance(0.5) ? pick(RandomPlans.cueLists) : nil)
    case 16: return .scenes(random.chance(0.5) ? pick(RandomPlans.scenes) : nil)
    case 15: return .groups
    case 14: return .snapshot
    case 13: return target.map { .why(PropertyReference($0, "position")) } ?? .clients
    case 12: return .inputs
    case 11: return .waiting
    case 0: return .targets
    case 1: return .properties(target)
    case 2: return .executors(target)
    case 3: return .intentions(target)
    case 4: return .tokens(target)
    case 5: return .plugins
    case 6: return .types(random.chance(0.5) ? pick(plans.types).type : nil)
    case 7: return .status
    // Usually of all targets: for a target that does not exist, the coordinator does not query the workers.
    default: return .graph(random.chance(0.3) ? target : nil)
    }
  }

  private func touch() -> Envelope.Body {
    let place = SIMD2(Double.random(in: -50...50, using: &random), Double.random(in: -50...50, using: &random))
    let hand = (target: pick(plans.targets), id: UInt64.random(in: 0...1, using: &random), place: place)
    self.hand = hand
    return input([PointerEvent(id: hand.id, .down, at: place, time: 0)], on: hand.target)
  }

  private func move() -> Envelope.Body {
    guard var hand else { return .alive }
    if random.chance(0.15) {
      self.hand = nil
      let phase = random.chance(0.2) ? PointerEvent.Phase.cancel : .up
      return input([PointerEvent(id: hand.id, phase, at: hand.place, time: 0)], on: hand.target)
    }
    hand.place += SIMD2(Double.random(in: -30...30, using: &random), Double.random(in: -30...30, using: &random))
    self.hand = hand
    return input([PointerEvent(id: hand.id, .move, at: hand.place, time: 0)], on: hand.target)
  }

  func input(_ events: [PointerEvent], on target: TargetName) -> Envelope.Body {
    .input(PointerInput(target, from: "hand", events))
  }

  /// Values for the plans that follow an input (``RandomPlans``). Some stay when the client is gone, and some are
  /// withdrawn.
  private func sendValues() -> Envelope.Body {
    let names: [InputName] = random.chance(0.5) ? ["fader"] : ["fader", "tracker"]
    return .inputValues(
      InputValues(
        from: "desk",
        names.map { name in
          let number = Double.random(in: -50...50, using: &random)
          let value = random.chance(0.2) ? Lanes([number, -number]) : Lanes(number)
          return InputValue(name, random.chance(0.1) ? nil : value, isHeld: random.chance(0.3))
        }))
  }

  func pick<Element>(_ elements: [Element]) -> Element {
    guard let element = elements.randomElement(using: &random) else { preconditionFailure("there is nothing to pick") }
    return element
  }
}
