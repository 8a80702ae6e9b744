import MotionModel
import MotionWire

/// Keeps strangers from filling the runtime: above some number of targets and intentions, whoever made them, they may not
/// add any more. And from asking for more than motiond puts together without being late.
///
/// It knows the numbers from motiond's status, at most a second old while they matter, and counts what was added since: that
/// holds across the gateway's own deaths, which strangers can bring about.
struct RuntimeBudget {
  /// How old the numbers may be when something is added.
  static let age = Duration.seconds(1)
  /// How long an answer is awaited before motiond is asked again.
  static let timeout = Duration.seconds(1)

  private let limits: GatewayLimits
  private var counts: Status.Counts?
  private var knownAt = Duration.zero
  private var askedAt: Duration?
  /// What was added since the numbers were asked for, and before that since they were known.
  private var sinceAsked = Additions()
  private var before = Additions()

  /// How much transactions may add at most.
  private struct Additions {
    var targets = 0
    var intentions = 0

    static func + (one: Additions, other: Additions) -> Additions {
      Additions(targets: one.targets + other.targets, intentions: one.intentions + other.intentions)
    }
  }

  /// Numbers that nobody knows yet.
  init(_ limits: GatewayLimits) { self.limits = limits }

  /// Whether motiond is to be asked for its status now, since something depends on it; taken as asked then.
  mutating func asks(at now: Duration) -> Bool {
    if let askedAt, now < askedAt + Self.timeout { return false }
    guard counts == nil || askedAt != nil || now >= knownAt + Self.age else { return false }
    askedAt = now
    before = before + sinceAsked
    sinceAsked = Additions()
    return true
  }

  /// motiond is there: what was asked before was asked of nobody, and need not be waited for.
  mutating func reachedMotiond() { askedAt = nil }

  /// motiond has said how much there is.
  mutating func learned(_ counts: Status.Counts, at now: Duration) {
    self.counts = counts
    knownAt = now
    askedAt = nil
    before = Additions()
  }

  /// Whether a request needs numbers.
  func concerns(_ body: Envelope.Body) -> Bool {
    switch body {
    case .commit(let commit): commit.transaction.log.contains(where: \.adds)
    case .query(.targets), .query(.properties(nil)), .query(.executors(nil)), .query(.intentions(nil)),
      .query(.tokens(nil)), .query(.graph(nil)):
      true
    default: false
    }
  }

  /// Checks a request that it concerns; one that passes is counted.
  ///
  /// - Returns: whether the numbers are known: without them nothing can be said, and the request has to be sent again.
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

  /// How many rows the answer to a query has, as far as that can be known: of one target it is at least one. 0 for what
  /// is no matter of targets.
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

  /// How many rows a topic of everything begins with.
  var rowsOfEverything: Int { counts?.properties ?? 0 }

  /// Whether everything that is on one topic may be told at once; `nil` while that is not known.
  var allowsEverything: Bool? { counts.map { $0.properties <= limits.rows } }

  /// When a question that was not answered is asked again.
  var nextQuestion: Duration? { askedAt.map { $0 + Self.timeout } }

  private mutating func add(_ transaction: Transaction, to counts: Status.Counts) throws(Refusal) {
    let adds = transaction.log.filter(\.adds)
    if adds.isEmpty { return }
    let additions = Additions(targets: Set(adds.map(\.target)).count, intentions: adds.count)
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
      remedy: "Ask about one target at a time")
  }
}

extension Transaction.Operation {
  /// Whether there may be more afterwards than before.
  fileprivate var adds: Bool { if case .add = self { true } else { false } }
}
