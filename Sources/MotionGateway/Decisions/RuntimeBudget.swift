import MotionModel
import MotionWire

/// Keeps untrusted clients from filling the runtime, and from requesting answers that would make motiond late.
///
/// Above a number of targets and intentions, whichever client made them, clients of the gateway cannot add any more.
///
/// The counts come from motiond's status, at most a second old when they are needed. Additions since then are counted
/// here. The limit therefore holds across exits of the gateway, which untrusted clients can cause.
struct RuntimeBudget {
  /// The maximum age of the counts when a transaction adds something.
  static let age = Duration.seconds(1)
  /// How long the gateway waits for an answer before it queries motiond again.
  static let timeout = Duration.seconds(1)

  private let limits: GatewayLimits
  private var counts: Status.Counts?
  private var knownAt = Duration.zero
  private var askedAt: Duration?
  /// Additions since the last query, and those between the last answer and that query.
  private var sinceAsked = Additions()
  private var before = Additions()

  /// The most that transactions can add.
  private struct Additions {
    var targets = 0
    var intentions = 0

    static func + (one: Additions, other: Additions) -> Additions {
      Additions(targets: one.targets + other.targets, intentions: one.intentions + other.intentions)
    }
  }

  /// A budget without counts; the first query provides them.
  init(_ limits: GatewayLimits) { self.limits = limits }

  /// Whether to query motiond's status now, for a request that needs it. If true, the query counts as sent.
  mutating func asks(at now: Duration) -> Bool {
    if let askedAt, now < askedAt + Self.timeout { return false }
    guard counts == nil || askedAt != nil || now >= knownAt + Self.age else { return false }
    askedAt = now
    before = before + sinceAsked
    sinceAsked = Additions()
    return true
  }

  /// The gateway is connected to motiond. An earlier query was lost, and is not waited for.
  mutating func reachedMotiond() { askedAt = nil }

  /// Takes the counts from motiond's status.
  mutating func learned(_ counts: Status.Counts, at now: Duration) {
    self.counts = counts
    knownAt = now
    askedAt = nil
    before = Additions()
  }

  /// Whether the check of a request needs the counts.
  func concerns(_ body: Envelope.Body) -> Bool {
    switch body {
    case .commit(let commit): commit.transaction.mayAdd
    case .query(.targets), .query(.properties(nil)), .query(.executors(nil)), .query(.intentions(nil)),
      .query(.tokens(nil)), .query(.graph(nil)):
      true
    default: false
    }
  }

  /// Checks a request that needs the counts, and counts it if it passes.
  ///
  /// - Returns: whether the counts are known. If not, nothing is decided, and the client has to resend the request.
  mutating func check(_ body: Envelope.Body) throws(Refusal) -> Bool {
    guard let counts else { return false }
    switch body {
    case .commit(let commit): try add(commit.transaction, to: counts)
    case .query(.targets): try checkRows(counts.targets, "targets")
    case .query(.properties): try checkRows(counts.properties, "properties")
    case .query(.executors): try checkRows(counts.executors, "executors")
    case .query(.intentions): try checkRows(counts.intentions, "intentions")
    case .query(.tokens): try checkRows(counts.tokens, "tokens")
    case .query(.graph): try checkRows(counts.properties + counts.intentions, "things")
    default: break
    }
    return true
  }

  /// The number of rows of the answer to a query, as far as it is known; at least one for a single target. 0 for
  /// queries that are not about targets.
  func rows(for query: Query) -> Int {
    guard let counts else { return 0 }
    return switch query {
    case .targets: counts.targets
    case .properties(nil): counts.properties
    case .executors(nil): counts.executors
    case .intentions(nil): counts.intentions
    case .tokens(nil): counts.tokens
    case .graph(nil): counts.targets + counts.properties + counts.executors + counts.intentions + counts.tokens
    case .properties, .executors, .intentions, .tokens, .graph: 1
    default: 0
    }
  }

  /// The most targets that motiond may have, as far as is known.
  var mostTargets: Int { counts?.targets ?? limits.targets }

  /// The number of rows in the first messages on a topic of all targets.
  var rowsOfEverything: Int { counts?.properties ?? 0 }

  /// Whether a topic of all targets may be forwarded; `nil` while the counts are not known.
  var allowsEverything: Bool? { counts.map { $0.properties <= limits.rows } }

  /// When to repeat a query that was not answered.
  var nextQuestion: Duration? { askedAt.map { $0 + Self.timeout } }

  /// What a transaction may add, and at most the cues that it loads, each once.
  private func additions(of transaction: Transaction) -> Additions {
    let adds = transaction.log.indices.filter { transaction.log[$0].adds }
    let selectors = adds.compactMap { transaction.selectors[$0] }
    let named = adds.filter { transaction.selectors[$0] == nil }
    // How much a scene or a cue adds is not known here.
    let unknown = transaction.recalls.count + transaction.cueSteps.count
    let own = Additions(
      // Patterns of targets that exist add none.
      targets: selectors.reduce(Set(named.map { transaction.log[$0].target }).count) {
        $0 + $1.mostTargets(existing: 0)
      },
      intentions: selectors.reduce(named.count + unknown) { $0 + $1.mostTargets(existing: mostTargets) })
    return transaction.loaded.reduce(own) { $0 + additions(of: $1) }
  }

  private mutating func add(_ transaction: Transaction, to counts: Status.Counts) throws(Refusal) {
    guard transaction.mayAdd else { return }
    let additions = additions(of: transaction)
    let more = additions + sinceAsked + before
    for (count, more, limit, noun) in [
      (counts.targets, more.targets, limits.targets, "targets"),
      (counts.intentions, more.intentions, limits.intentions, "intentions"),
    ] where count + more > limit {
      throw Refusal(
        .limit, "motiond has \(count) \(noun), and \(more) more may come: above \(limit) this gateway adds none",
        remedy: "Forget targets that are not used any more, and commit again in a second")
    }
    sinceAsked = sinceAsked + additions
  }

  private func checkRows(_ count: Int, _ noun: String) throws(Refusal) {
    guard count > limits.rows else { return }
    throw Refusal(
      .limit, "there are \(count) \(noun), too many for one answer through this gateway",
      remedy: "Send a query for one target at a time")
  }
}

extension Transaction {
  /// Whether the transaction, or a cue that it loads, may increase the counts.
  fileprivate var mayAdd: Bool {
    log.contains(where: \.adds) || !recalls.isEmpty || !cueSteps.isEmpty || loaded.contains { $0.mayAdd }
  }
}

extension Transaction.Operation {
  /// Whether the operation may increase the counts.
  fileprivate var adds: Bool { if case .add = self { true } else { false } }
}
