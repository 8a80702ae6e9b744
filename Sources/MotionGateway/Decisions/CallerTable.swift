import MotionModel

/// Decides, for each connection, whether its next request is within its limits.
///
/// It records what the connection has used of each limit. It has no effects of its own.
struct CallerTable {
  /// The decision about a request.
  enum Verdict: Hashable {
    /// The request may be processed.
    case go
    /// The request is refused, and the caller receives the refusal.
    case refuse(Refusal)
    /// The request is refused, and the connection is closed, because it exceeded the limit of refusals.
    case hangUp(String)
  }

  private struct Entry {
    var descriptor: Int32
    var requests: RateLimit
    var bytes: RateLimit
    var operations: RateLimit
    var rows: RateLimit
    var refusals: RateLimit
    var incarnation: UInt64?
    var waiting = 0
  }

  private let limits: GatewayLimits
  private var entries: [Caller: Entry] = [:]
  private var callerOfDescriptor: [Int32: Caller] = [:]
  /// The rows of the answers to all connections.
  private var allRows: RateLimit

  /// A table without connections.
  init(_ limits: GatewayLimits) {
    self.limits = limits
    allRows = RateLimit(perSecond: limits.allRowsPerSecond, at: .zero)
  }

  /// All recorded connections.
  var all: [Caller] { Array(entries.keys) }

  /// The number of recorded connections: those that have sent a request or a subscription, and whose descriptor no
  /// later connection has taken.
  var count: Int { entries.count }

  /// Records that a connection has sent a message.
  ///
  /// - Parameter descriptor: the descriptor of the connection in this process. A previous connection on it has closed.
  /// - Returns: whether to process the message. It is false for a late message of a connection that has closed.
  mutating func heard(_ caller: Caller, on descriptor: Int32, at now: Duration) -> Bool {
    if entries[caller] != nil { return true }
    if let previous = callerOfDescriptor[descriptor] {
      if previous.serial > caller.serial { return false }
      entries[previous] = nil
    }
    callerOfDescriptor[descriptor] = caller
    entries[caller] = Entry(
      descriptor: descriptor, requests: RateLimit(perSecond: limits.requestsPerSecond, at: now),
      bytes: RateLimit(perSecond: Double(limits.requestBytes), at: now),
      operations: RateLimit(perSecond: limits.operationsPerSecond, at: now),
      rows: RateLimit(perSecond: limits.rowsPerSecond, at: now),
      refusals: RateLimit(perSecond: GatewayLimits.refusalsPerSecond, at: now))
    return true
  }

  /// The descriptor of a connection; `nil` if the connection is not recorded.
  func descriptor(of caller: Caller) -> Int32? { entries[caller]?.descriptor }

  /// Decides about a request of this many bytes.
  mutating func asked(_ caller: Caller, bytes: Int, at now: Duration) -> Verdict {
    guard bytes <= limits.requestBytes else {
      return refused(
        caller,
        Refusal(
          .limit, "a request of \(bytes) bytes is longer than \(limits.requestBytes)",
          remedy: "Send less in one message"), at: now)
    }
    guard entries[caller]?.requests.take(at: now) == true, entries[caller]?.bytes.take(bytes, at: now) == true else {
      return refused(
        caller,
        Refusal(
          .limit,
          "more than \(Int(limits.requestsPerSecond)) requests or \(limits.requestBytes) bytes in a second",
          remedy: "Send requests less often"), at: now)
    }
    guard entries[caller]?.waiting ?? 0 < limits.requestsWaiting else {
      return refused(
        caller,
        Refusal(
          .limit, "\(limits.requestsWaiting) requests of this connection wait for their answers",
          remedy: "Wait for an answer before the next request"), at: now)
    }
    return .go
  }

  /// Decides about a commit of this many operations.
  mutating func commits(_ caller: Caller, operations: Int, at now: Duration) -> Verdict {
    guard entries[caller]?.operations.take(operations, at: now) != true else { return .go }
    return refused(
      caller,
      Refusal(
        .limit, "more than \(Int(limits.operationsPerSecond)) operations in a second",
        remedy: "Commit less at a time, at most \(Int(2 * limits.operationsPerSecond)) operations, or later"), at: now)
  }

  /// Decides about a query whose answer has this many rows, as far as they are known. ``answered(_:rows:at:)`` charges
  /// the rows beyond them.
  mutating func asks(_ caller: Caller, rows: Int, at now: Duration) -> Verdict {
    guard entries[caller]?.rows.has(rows, at: now) == true else {
      return refused(
        caller,
        Refusal(
          .limit, "more than \(Int(limits.rowsPerSecond)) rows of answers in a second, with the \(rows) of this one",
          remedy: "Send queries less often, or for one target at a time"), at: now)
    }
    guard allRows.take(rows, at: now) else {
      return refused(
        caller,
        Refusal(
          .limit,
          "more than \(Int(limits.allRowsPerSecond)) rows of answers in a second to all clients of this gateway, with the "
            + "\(rows) of this one", remedy: "Retry in a second"), at: now)
    }
    entries[caller]?.rows.owe(rows, at: now)
    return .go
  }

  /// Charges the rows of an answer beyond those that its request was charged for. Until the debt is paid, no further
  /// query is answered.
  mutating func answered(_ caller: Caller, rows: Int, at now: Duration) {
    guard rows > 0 else { return }
    entries[caller]?.rows.owe(rows, at: now)
    allRows.owe(rows, at: now)
  }

  /// Records the incarnation of a connection, which may not change later.
  mutating func claims(_ caller: Caller, incarnation: UInt64, at now: Duration) -> Verdict {
    guard incarnation != 0 else {
      return refused(
        caller,
        Refusal(
          .malformed, field: "incarnation", "the request does not identify its client: its incarnation is 0",
          remedy: "Send a random number other than 0, the same one in each request of your process"), at: now)
    }
    let known = entries[caller]?.incarnation
    entries[caller]?.incarnation = known ?? incarnation
    guard known == nil || known == incarnation else {
      return refused(
        caller,
        Refusal(
          .malformed, field: "incarnation", "this connection has sent another incarnation before",
          remedy: "Keep it as long as you run, or connect again"), at: now)
    }
    return .go
  }

  /// Decides whether to send a refusal, or to close the connection: refusals are limited, too.
  mutating func refused(_ caller: Caller, _ refusal: Refusal, at now: Duration) -> Verdict {
    guard entries[caller]?.refusals.take(at: now) == true else {
      return .hangUp("it continues although it was refused: \(refusal.message)")
    }
    return .refuse(refusal)
  }

  /// Adds to the number of requests of a connection that wait for an answer; negative when one no longer waits.
  mutating func waits(_ caller: Caller, _ more: Int) { entries[caller]?.waiting += more }
}
