import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionClient

/// A program that commits one transaction after the other, and says each again, by its id, until it knows what came of it.
///
/// Its transactions tell of themselves: of each, one spring on two targets has its number as its place, so that whoever looks
/// at the two sees which was applied last, and whether all of it was.
final class SimulatedClient: ConversingClient, @unchecked Sendable {
  /// Which of its transactions it says, or has said last; the first is 1.
  private(set) var current = 0
  private var commit: Commit?
  /// The last that was acknowledged, with the frame and the epoch in which it was to take effect.
  private(set) var acknowledged: (number: Int, frame: UInt64, epoch: UInt64) = (0, 0, 0)
  /// What must be on its targets after each of its transactions.
  private(set) var states: [ClientState] = [ClientState()]
  /// What else each of its transactions adds: it passes, or another takes its place.
  private(set) var passing: [[Intention]] = [[]]
  /// When it was last looked at: in which start of the coordinator, after which frame, and what had been applied by then.
  var look: (start: Int, frame: UInt64, applied: Int) = (0, 0, 0)
  /// Refusals that came, in words, for who wants to know why nothing goes on.
  private(set) var refusals: [String] = []

  let targets: [TargetName]

  init(_ number: Int, seed: UInt64) throws {
    targets = [try TargetName("c\(number).a"), try TargetName("c\(number).b")]
    var random = SeededRandom(seed: seed)
    let incarnation = random.next() | 1
    super.init(number, random: random, incarnation: incarnation, name: "client \(number)")
  }

  /// Whether it knows what came of everything that it has said.
  var isSettled: Bool { acknowledged.number == current }

  /// Whether what it said last was refused because a plugin was given up.
  var isRefusedForGood: Bool { refusals.last?.contains("is quarantined") ?? false }

  // MARK: Its turns

  override var wantsToAsk: Bool { isBusy || commit != nil }

  override func nextRequest(at now: Duration) -> (body: Envelope.Body, isRepeatable: Bool)? {
    if commit == nil {
      guard isBusy else { return nil }
      begin()
    }
    return commit.map { (.commit($0), true) }
  }

  override func finished(_ outcome: Result<Envelope.Body, MotionClientError>, at now: Duration) {
    if case .success(.receipt(let receipt)) = outcome {
      commit = nil
      acknowledged = (current, receipt.frame ?? 0, conversation.epoch)
      pauseUntil = now + .milliseconds(Int.random(in: 0...600, using: &random))
    } else {
      // Whatever else came of it: nobody knows, so it is sent again, and by its id it is applied once.
      refusals.append("\(outcome)")
      pauseUntil = now + .milliseconds(Int.random(in: 100...800, using: &random))
    }
  }

  // MARK: Its transactions

  private func begin() {
    current += 1
    var (transaction, state) = (Transaction(), states[current - 1])
    if random.chance(0.1) {
      transaction.forget(targets[1])
      state.extras = []
    }
    for target in targets {
      let place: Lanes = [Double.random(in: -100...100, using: &random), Double(current)]
      transaction.add(.anchoredSpring("position", place), named: "p", to: target)
    }
    state.last = current
    if random.chance(0.3) {
      // Without a name: applied twice it would be there twice.
      transaction.add(.anchoredSpring("extra", [Double(current)]), to: targets[1])
      state.extras.append(current)
    }
    if random.chance(0.5) { transaction.add(tween("fade", 0...1), to: targets[0]) }
    if random.chance(0.2) { transaction.add(.springTo("hop", [Double(current)]), to: targets[1]) }
    if random.chance(0.1) {
      transaction.add(SquashAndStretchIntention(), named: "stretch", to: targets[0])
      state.stretches = 1
    }
    addContest(to: &transaction)
    states.append(state)
    passing.append(
      transaction.log.compactMap { operation in
        guard case .add(let intention, nil, _) = operation, intention.type != "AnchoredSpring" else { return nil }
        return intention["property"] == .property(Self.contested) ? nil : intention
      })
    commit = Commit(transaction, id: TransactionID(high: random.next() | 1, low: random.next()))
  }

  /// What springs and a worker take from each other: of two in one transaction the later may end the earlier at once.
  private static let contested: PropertyName = "sway"

  private func addContest(to transaction: inout Transaction) {
    if random.chance(0.3) { transaction.add(tween(Self.contested, -50...50), to: targets[1]) }
    if random.chance(0.3) {
      transaction.add(.springTo(Self.contested, [Double.random(in: -50...50, using: &random)]), to: targets[1])
    }
  }

  private func tween(_ property: PropertyName, _ range: ClosedRange<Double>) -> Intention {
    TweenIntention(
      property, values: [[Double.random(in: range, using: &random)]],
      duration: .milliseconds(Int.random(in: 100...3000, using: &random))
    ).intention
  }
}

/// What one client's transactions have made of its targets, as far as it stays.
struct ClientState: Equatable {
  /// The last transaction whose springs hold both targets.
  var last = 0
  /// Those that left something more.
  var extras: [Int] = []
  /// How many plans of the name stretch there are: each takes the place of the one before.
  var stretches = 0
}
