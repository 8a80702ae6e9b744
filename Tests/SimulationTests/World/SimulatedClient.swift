import MotionModel
import MotionTestKit
import MotionWire
import ZeroMQ

@testable import MotionClient
@testable import MotionCoordinator

/// A program that commits one transaction after the other, and says each again, by its id, until it knows what came of it.
///
/// Its transactions tell of themselves: of each, one spring on two targets has its number as its place, so that whoever looks
/// at the two sees which was applied last, and whether all of it was.
final class SimulatedClient: @unchecked Sendable {
  let number: Int
  private(set) var conversation: ControlConversation
  private var socket: DealerSocket?
  private var random: SeededRandom

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
  /// Sequences that were given to its transactions.
  private(set) var sequences: [UInt64] = []
  /// When it goes on.
  private var pauseUntil = Duration.zero
  /// Whether it begins new transactions.
  var isBusy = true
  /// What the network carries for it.
  var outgoing: [[UInt8]] = []
  /// Refusals that came, in words, for who wants to know why nothing goes on.
  private(set) var refusals: [String] = []

  let targets: [TargetName]

  init(_ number: Int, seed: UInt64) throws {
    self.number = number
    targets = [try TargetName("c\(number).a"), try TargetName("c\(number).b")]
    random = SeededRandom(seed: seed)
    conversation = ControlConversation(incarnation: random.next() | 1, name: "client \(number)")
  }

  /// Who it is to the authenticator.
  var name: PeerName {
    PeerName(.process(LocalPeer(userID: 0, groupID: 0, processID: 1_000_000 + Int32(number))), serial: UInt64(number))
  }

  /// Whether it knows what came of everything that it has said.
  var isSettled: Bool { acknowledged.number == current }

  /// Whether what it said last was refused because a plugin was given up.
  var isRefusedForGood: Bool { refusals.last?.contains("is quarantined") ?? false }

  /// Connects to the coordinator that listens now.
  func connect(_ context: ZeroMQContext, to endpoint: Endpoint) throws {
    let socket = try DealerSocket(context, .linger(.zero))
    try socket.connect(endpoint)
    self.socket = socket
  }

  /// Its coordinator is gone.
  func disconnect() { socket = nil }

  func deliver(_ bytes: [UInt8]) throws { _ = try socket?.send(bytes) }

  func collect() throws -> [[UInt8]] {
    var answers: [[UInt8]] = []
    while let message = try socket?.receiveOne().message { answers.append(message.withUnsafeBytes(Array.init)) }
    return answers
  }

  // MARK: Its turns

  var nextDue: Duration? { conversation.isIdle ? (isBusy || commit != nil ? pauseUntil : nil) : conversation.nextDue }

  /// Hears an answer.
  func hear(_ bytes: [UInt8], at now: Duration) throws {
    perform(conversation.receive(try Envelope(decoding: bytes, limit: Limits.clientMessageBytes), now: now), at: now)
  }

  /// Goes on.
  func turn(at now: Duration) {
    perform(conversation.elapsed(now: now), at: now)
    guard conversation.isIdle, now >= pauseUntil else { return }
    if commit == nil {
      guard isBusy else { return }
      begin()
    }
    guard let commit else { return }
    perform(conversation.ask(.commit(commit), deadline: now + .seconds(8), now: now), at: now)
  }

  private func perform(_ actions: [ControlConversation.Action], at now: Duration) {
    for action in actions {
      switch action {
      // What is under way here is lost or late by the network's doing alone.
      case .connectAnew: break
      case .send(let envelope): outgoing.append(envelope.encoded())
      case .finish(.success(.receipt(let receipt))): acknowledge(receipt, at: now)
      case .finish(let outcome):
        // Whatever else came of it: nobody knows, so it is said again, and by its id it is applied once.
        refusals.append("\(outcome)")
        pauseUntil = now + .milliseconds(Int.random(in: 100...800, using: &random))
      }
    }
  }

  private func acknowledge(_ receipt: Receipt, at now: Duration) {
    commit = nil
    acknowledged = (current, receipt.frame ?? 0, conversation.epoch)
    sequences.append(receipt.sequence)
    pauseUntil = now + .milliseconds(Int.random(in: 0...600, using: &random))
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
    if random.chance(0.5) { transaction.add(tween, to: targets[0]) }
    if random.chance(0.2) { transaction.add(.springTo("hop", [Double(current)]), to: targets[1]) }
    if random.chance(0.1) {
      transaction.add(SquashAndStretchIntention(), named: "stretch", to: targets[0])
      state.stretches = 1
    }
    states.append(state)
    passing.append(
      transaction.log.compactMap { operation in
        guard case .add(let intention, nil, _) = operation, intention.type != "AnchoredSpring" else { return nil }
        return intention
      })
    commit = Commit(transaction, id: TransactionID(high: random.next() | 1, low: random.next()))
  }

  private var tween: Intention {
    TweenIntention(
      "fade", values: [[Double.random(in: 0...1, using: &random)]],
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
