import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionClient

/// A client that commits one transaction after the other, and resends each with its id until it has the outcome.
///
/// Each transaction is recognizable: it puts one spring on two targets whose position is the number of the
/// transaction. So the two targets show which transaction was applied last, and whether it was applied completely.
final class SimulatedClient: ConversingClient, @unchecked Sendable {
  /// The number of the transaction that it is sending, or has sent last; the first is 1.
  private(set) var current = 0
  private var commit: Commit?
  /// The last acknowledged transaction, with the frame and the epoch in which it was to take effect.
  private(set) var acknowledged: (number: Int, frame: UInt64, epoch: UInt64) = (0, 0, 0)
  /// The required state of its targets after each of its transactions.
  private(set) var states: [ClientState] = [ClientState()]
  /// The other plans that each transaction adds: they end, or another plan replaces them.
  private(set) var passing: [[Intention]] = [[]]
  /// The last check: the start of the coordinator, the frame, and the transaction applied by then.
  var look: (start: Int, frame: UInt64, applied: Int) = (0, 0, 0)
  /// The refusals that it received, as text, to explain why it makes no progress.
  private(set) var refusals: [String] = []

  let targets: [TargetName]

  init(_ number: Int, seed: UInt64) throws {
    targets = [try TargetName("c\(number).a"), try TargetName("c\(number).b")]
    var random = SeededRandom(seed: seed)
    let incarnation = random.next() | 1
    super.init(number, random: random, incarnation: incarnation, name: "client \(number)")
  }

  /// Whether it has the outcome of everything that it has sent.
  var isSettled: Bool { acknowledged.number == current }

  /// Whether its last request was refused because a plugin was quarantined.
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
      // With any other result the outcome is unknown, so it resends the commit. Because of its id, it is applied once.
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
      // Without a name, it would exist twice if it were applied twice.
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

  /// A property for which springs and a worker compete: of two plans in one transaction, the later may end the earlier
  /// at once.
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

/// The lasting effect of one client's transactions on its targets.
struct ClientState: Equatable {
  /// The last transaction, whose springs hold both targets.
  var last = 0
  /// The transactions that left an additional plan.
  var extras: [Int] = []
  /// The number of plans named stretch: each replaces the one before.
  var stretches = 0
}
