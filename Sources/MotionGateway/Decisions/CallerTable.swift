import MotionModel

/// What every connection has used of what it may, and what is to be done with its next word: the decision alone.
struct CallerTable {
  /// What becomes of a request.
  enum Verdict: Hashable {
    /// It may be looked at.
    case go
    /// It is refused, and told so.
    case refuse(Refusal)
    /// It is refused, and has been told so often enough.
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
  /// The rows of everybody's answers.
  private var allRows: RateLimit

  /// A table that knows nobody.
  init(_ limits: GatewayLimits) {
    self.limits = limits
    allRows = RateLimit(perSecond: limits.allRowsPerSecond, at: .zero)
  }

  /// All connections that are known.
  var all: [Caller] { Array(entries.keys) }

  /// How many connections are known: those that have spoken, and have not been followed by another on their descriptor.
  var count: Int { entries.count }

  /// A connection speaks.
  ///
  /// - Parameter descriptor: the connection's, in this process: whoever had it before is gone.
  /// - Returns: whether it is to be heard; not the late word of one that is gone already.
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

  /// The descriptor of a connection, if it is known.
  func descriptor(of caller: Caller) -> Int32? { entries[caller]?.descriptor }

  /// A connection asks something in so many bytes.
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
          remedy: "Ask less often"), at: now)
    }
    guard entries[caller]?.waiting ?? 0 < limits.requestsWaiting else {
      return refused(
        caller,
        Refusal(
          .limit, "\(limits.requestsWaiting) requests of this connection wait for their answers",
          remedy: "Wait for an answer before you ask more"), at: now)
    }
    return .go
  }

  /// A connection wants to commit so many operations.
  mutating func commits(_ caller: Caller, operations: Int, at now: Duration) -> Verdict {
    guard entries[caller]?.operations.take(operations, at: now) != true else { return .go }
    return refused(
      caller,
      Refusal(
        .limit, "more than \(Int(limits.operationsPerSecond)) operations in a second",
        remedy: "Commit less at a time, at most \(Int(2 * limits.operationsPerSecond)) operations, or later"), at: now)
  }

  /// A connection asks for an answer of so many rows, as far as that is known; what comes beyond is counted when it has
  /// (``answered(_:rows:at:)``).
  mutating func asks(_ caller: Caller, rows: Int, at now: Duration) -> Verdict {
    guard entries[caller]?.rows.has(rows, at: now) == true else {
      return refused(
        caller,
        Refusal(
          .limit, "more than \(Int(limits.rowsPerSecond)) rows of answers in a second, with the \(rows) of this one",
          remedy: "Ask less often, or about one target at a time"), at: now)
    }
    guard allRows.take(rows, at: now) else {
      return refused(
        caller,
        Refusal(
          .limit,
          "more than \(Int(limits.allRowsPerSecond)) rows of answers in a second to all clients of this gateway, with the "
            + "\(rows) of this one", remedy: "Ask again in a second"), at: now)
    }
    entries[caller]?.rows.owe(rows, at: now)
    return .go
  }

  /// An answer had so many rows more than were known when it was asked for: until they are paid, nothing more is answered.
  mutating func answered(_ caller: Caller, rows: Int, at now: Duration) {
    guard rows > 0 else { return }
    entries[caller]?.rows.owe(rows, at: now)
    allRows.owe(rows, at: now)
  }

  /// A connection says who it is: it may not be somebody else later.
  mutating func claims(_ caller: Caller, incarnation: UInt64, at now: Duration) -> Verdict {
    guard incarnation != 0 else {
      return refused(
        caller,
        Refusal(
          .malformed, field: "incarnation", "the request does not say who asks: its incarnation is 0",
          remedy: "Send a random number other than 0, and keep it as long as you run"), at: now)
    }
    let known = entries[caller]?.incarnation
    entries[caller]?.incarnation = known ?? incarnation
    guard known == nil || known == incarnation else {
      return refused(
        caller,
        Refusal(
          .malformed, field: "incarnation", "this connection has said another incarnation before",
          remedy: "Keep it as long as you run, or connect anew"), at: now)
    }
    return .go
  }

  /// A connection is refused something for a reason; refusals are limited too.
  mutating func refused(_ caller: Caller, _ refusal: Refusal, at now: Duration) -> Verdict {
    guard entries[caller]?.refusals.take(at: now) == true else {
      return .hangUp("it goes on although it was refused: \(refusal.message)")
    }
    return .refuse(refusal)
  }

  /// A request of a connection waits for its answer, or does no longer.
  mutating func waits(_ caller: Caller, _ more: Int) { entries[caller]?.waiting += more }
}
