import MotionModel
import MotionPhysics

@testable import MotionCore

/// Random transactions, of which a runtime stages as much as it can, in pieces between frames and other transactions;
/// another runtime applies the recording, and stages nothing.
final class StagedChaos {
  let runtime: Runtime
  let follower: Runtime
  private let log: TraceLog
  private let followersLog: TraceLog
  private var checks: [TransactionCheck] = []
  private var random: SplitMix
  /// The number of rows that were staged when their transaction was committed, and of transactions with any.
  private(set) var stagedRows = 0
  private(set) var stagedTransactions = 0

  /// Whether some plans have a priority: few, so that equal ones compete, too.
  private let isRanking: Bool
  private static let priorities: [Int32] = [-100, -1, 1, 1, 5, 100]
  private static let targets = (0..<60).compactMap { try? TargetName("t\($0)") }
  private static let properties: [PropertyName] = ["x", "y", "opacity", "position"]
  private static let names: [IntentionName] = ["n", "m"]

  init(seed: UInt64, ranking isRanking: Bool = false) throws {
    random = SplitMix(seed: seed)
    self.isRanking = isRanking
    runtime = Runtime(registry: try Chaos.registry(), ratePerSecond: 100)
    follower = Runtime(registry: try Chaos.registry(), ratePerSecond: 100)
    // The follower stages nothing in spite of this: it receives the recording. It determines by itself which plans
    // displace each other.
    (runtime.staging.fewest, follower.staging.fewest) = (1, 1)
    (runtime.computesHashes, follower.computesHashes) = (true, true)
    (log, followersLog) = (TraceLog(runtime), TraceLog(follower))
  }

  /// The number of standing plans that plans of a higher priority keep waiting.
  var waitingStandingPlans: Int {
    runtime.movement.properties.occupied.reduce(0) { count, slot in
      count + runtime.movement.properties[slot].stack.claims.count { $0.isWaiting && $0.kind == .standing }
    }
  }

  private func chance(_ probability: Double) -> Bool { Double.random(in: 0...1, using: &random) < probability }
  private func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }
  private func number(_ range: ClosedRange<Double> = -100...100) -> Double { Double.random(in: range, using: &random) }

  /// Causes random events before the next frame.
  func happen() throws {
    if chance(0.3), checks.count < 3 {
      checks.append(
        try TransactionCheck(transaction(Int.random(in: 1...80, using: &random)), in: runtime, staging: true))
    }
    for (index, check) in checks.enumerated().reversed() {
      do {
        try check.advance(Int.random(in: 0...30, using: &random))
      } catch {
        // Some are refused at their last operation: their staged rows are dropped with them.
        checks.remove(at: index)
        continue
      }
      if chance(0.03) { checks.remove(at: index) } else if check.isFinished, chance(0.7) { try commit(index) }
    }
    if chance(0.3) { _ = try? runtime.commit(transaction(Int.random(in: 1...4, using: &random))) }
    if chance(0.02) { runtime.applyNow(.stop(chance(0.5) ? [] : [pick(Self.targets)])) }
    if chance(0.02) { runtime.submit(.withdraw([UInt64.random(in: 1...200, using: &random)])) }
    if chance(0.01) { runtime.registry = try Chaos.registry() }
  }

  private func commit(_ index: Int) throws {
    let check = checks.remove(at: index)
    let rows = check.staged?.rows.count { !$0.isDropped } ?? 0
    stagedRows += rows
    stagedTransactions += rows > 0 ? 1 : 0
    _ = try runtime.commit(check, at: chance(0.2) ? runtime.frame.time + number(0...0.3) : nil)
  }

  private func transaction(_ length: Int) -> Transaction {
    var transaction = Transaction()
    // Some add the same plan to many targets, as transactions that are worth staging do.
    let common = chance(0.5) ? intention() : nil
    for _ in 0..<length {
      let target = pick(Self.targets)
      switch Int.random(in: 0..<40, using: &random) {
      case 0: transaction.remove(named: pick(Self.names), from: target)
      case 1, 2: transaction.forget(target)
      case 3: transaction.add(Intention("Nothing"), to: target)
      case 4...10: transaction.add(intention(), named: pick(Self.names), to: target)
      default: transaction.add(common ?? intention(), to: target)
      }
      if chance(0.99), case .add(let intention, _, _) = transaction.log.last, intention.type == "Nothing" {
        transaction = Transaction(log: transaction.log.dropLast())
      }
    }
    return transaction
  }

  private func intention() -> Intention {
    let plan = plan()
    return isRanking && chance(0.4) ? plan.priority(pick(Self.priorities)) : plan
  }

  private func plan() -> Intention {
    let property = pick(Self.properties)
    let place: Lanes = property == "position" ? [number(), number()] : [number()]
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1, 2: return .springTo(property, place)
    case 3: return .springTo(property, place, initialVelocity: place)
    case 4: return .anchoredSpring(property, place, .physical(tension: number(1...500), friction: 20, mass: 1))
    case 5: return .friction(property, coefficient: number(0...5))
    case 6: return .constantForce(property, acceleration: place)
    case 7: return .attachWithSpring(property, to: PropertyReference(pick(Self.targets), property))
    case 8: return .springTo(property, property == "position" ? [1.7e308, 0] : [1.7e308])
    default: return .tween(property, to: place)
    }
  }

  /// The observable results of a runtime's last frame.
  struct Account: Equatable {
    var hash: UInt64
    var lines: [String]
    var changes: [CausedChange]
    var answers: [Answer?]
    var motions: [Int]
  }

  /// Runs a frame in both.
  func advance() throws -> (Account, Account) {
    runtime.advance()
    for recorded in log.takeFrames() {
      for event in recorded.betweenFrames { follower.applyNow(event) }
      for event in recorded.events { follower.submit(event) }
      follower.run(recorded.frame)
    }
    return (try account(of: runtime, log), try account(of: follower, followersLog))
  }

  private func account(of runtime: Runtime, _ log: TraceLog) throws -> Account {
    // At a hand-over the staging runtime traces this line at once, and the other with the frame.
    let lines = log.take().filter { !$0.hasSuffix("active") }
    let changes = log.takeChanges().filter { if case .activity = $0.change { false } else { true } }
    let answers = try [Query.targets, .properties(nil), .executors(nil), .intentions(nil), .tokens(nil)].map {
      try runtime.answer($0)
    }
    return Account(
      hash: runtime.frameHash, lines: lines, changes: changes,
      answers: answers, motions: [runtime.movement.bank.count, runtime.movement.bank.movingCount])
  }
}
