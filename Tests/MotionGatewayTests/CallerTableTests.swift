import MotionModel
import Testing
import ZeroMQ

@testable import MotionGateway

@Suite struct CallerTableTests {
  private static let process = PeerName.Peer.process(LocalPeer(userID: 1, groupID: 1, processID: 10))
  private static let ann = Caller(name: PeerName(process, serial: 1))
  private static let bob = Caller(name: PeerName(process, serial: 2))

  private static var limits: GatewayLimits {
    var limits = GatewayLimits()
    limits.requestsPerSecond = 5
    limits.operationsPerSecond = 10
    limits.requestBytes = 1000
    limits.requestsWaiting = 3
    return limits
  }

  private func table() -> CallerTable {
    var table = CallerTable(Self.limits)
    #expect(table.heard(Self.ann, on: 7, at: .zero) == true)
    return table
  }

  private func isRefused(_ verdict: CallerTable.Verdict, with code: Refusal.Code) -> Bool {
    if case .refuse(let refusal) = verdict { refusal.code == code } else { false }
  }

  @Test func requestsAreLimitedForEachConnection() {
    var table = table()
    #expect(table.heard(Self.bob, on: 8, at: .zero) == true)
    for _ in 0..<10 { #expect(table.asked(Self.ann, bytes: 10, at: .zero) == .go) }
    #expect(isRefused(table.asked(Self.ann, bytes: 10, at: .zero), with: .limit))
    #expect(table.asked(Self.bob, bytes: 10, at: .zero) == .go)
    #expect(table.asked(Self.ann, bytes: 10, at: .seconds(1)) == .go)
  }

  @Test func `bytes of requests are limited for each connection`() {
    var table = table()
    #expect(table.asked(Self.ann, bytes: 1000, at: .zero) == .go)
    #expect(table.asked(Self.ann, bytes: 1000, at: .zero) == .go)
    #expect(isRefused(table.asked(Self.ann, bytes: 10, at: .zero), with: .limit))
    #expect(isRefused(table.asked(Self.ann, bytes: 1001, at: .seconds(60)), with: .limit))
  }

  // Clauses: S16.16
  @Test func rowsAreLimitedForEachConnectionAndForAll() {
    var limits = Self.limits
    (limits.rowsPerSecond, limits.allRowsPerSecond) = (100, 250)
    var table = CallerTable(limits)
    let callers = (1...3).map { Caller(name: PeerName(Self.process, serial: $0)) }
    for (index, caller) in callers.enumerated() {
      #expect(table.heard(caller, on: Int32(7 + index), at: .zero) == true)
    }
    #expect(table.asks(callers[0], rows: 200, at: .zero) == .go)
    guard case .refuse(let refusal) = table.asks(callers[0], rows: 30, at: .zero) else { return #expect(Bool(false)) }
    #expect(refusal.message.contains("100 rows") && refusal.message.contains("the 30 of this one"))
    // The rows of an answer beyond the known number are charged later.
    #expect(table.asks(callers[1], rows: 1, at: .zero) == .go)
    table.answered(callers[1], rows: 249, at: .zero)
    #expect(isRefused(table.asks(callers[1], rows: 1, at: .milliseconds(400)), with: .limit))
    #expect(table.asks(callers[1], rows: 1, at: .milliseconds(600)) == .go)
    // 451 rows of all clients were requested, and 150 have been restored.
    guard case .refuse(let other) = table.asks(callers[2], rows: 200, at: .milliseconds(600)) else {
      return #expect(Bool(false))
    }
    #expect(other.message.contains("250 rows of answers in a second to all clients"), "\(other.message)")
    #expect(table.asks(callers[2], rows: 150, at: .seconds(1)) == .go)
  }

  @Test func `a caller that continues after its refusals is disconnected`() {
    var table = table()
    var refusals = 0
    while case .refuse = table.asked(Self.ann, bytes: 1001, at: .zero) { refusals += 1 }
    #expect(refusals == Int(2 * GatewayLimits.refusalsPerSecond))
    guard case .hangUp(let reason) = table.asked(Self.ann, bytes: 1001, at: .zero) else { return #expect(Bool(false)) }
    #expect(reason.contains("longer than 1000"))
  }

  @Test func `requests that wait for an answer are limited`() {
    var table = table()
    table.waits(Self.ann, 3)
    #expect(isRefused(table.asked(Self.ann, bytes: 1, at: .zero), with: .limit))
    table.waits(Self.ann, -1)
    #expect(table.asked(Self.ann, bytes: 1, at: .zero) == .go)
  }

  @Test func operationsAreLimited() {
    var table = table()
    #expect(table.commits(Self.ann, operations: 20, at: .zero) == .go)
    #expect(isRefused(table.commits(Self.ann, operations: 1, at: .zero), with: .limit))
    #expect(table.commits(Self.ann, operations: 10, at: .seconds(1)) == .go)
    #expect(isRefused(table.commits(Self.ann, operations: 21, at: .seconds(100)), with: .limit))
  }

  /// The table of limits in docs/gateway.md, at its numbers.
  @Test func `the default limits are the documented ones`() {
    func table() -> CallerTable {
      var table = CallerTable(GatewayLimits())
      #expect(table.heard(Self.ann, on: 7, at: .zero) == true)
      return table
    }
    var requests = table()
    for _ in 0..<400 { #expect(requests.asked(Self.ann, bytes: 10, at: .zero) == .go) }
    #expect(isRefused(requests.asked(Self.ann, bytes: 10, at: .zero), with: .limit), "200 in a second, twice at once")
    var long = table()
    #expect(long.asked(Self.ann, bytes: 1 << 20, at: .zero) == .go)
    #expect(isRefused(long.asked(Self.ann, bytes: (1 << 20) + 1, at: .zero), with: .limit), "1 MiB")
    var operations = table()
    #expect(operations.commits(Self.ann, operations: 10_000, at: .zero) == .go)
    #expect(isRefused(operations.commits(Self.ann, operations: 1, at: .zero), with: .limit), "5,000, twice at once")
    var waiting = table()
    waiting.waits(Self.ann, 16)
    #expect(isRefused(waiting.asked(Self.ann, bytes: 1, at: .zero), with: .limit), "16 answers")
    let limits = GatewayLimits()
    #expect(limits.connections == 256 && limits.memory == 512 << 20 && limits.allRequestsWaiting == 500)
    #expect(limits.topics == 256 && limits.allTopics == 4096 && limits.rows == 10_000)
    #expect(limits.targets == 10_000 && limits.intentions == 100_000 && GatewayLimits.valuesQueue == 128)
  }

  @Test func `a connection has one incarnation`() {
    var table = table()
    #expect(isRefused(table.claims(Self.ann, incarnation: 0, at: .zero), with: .malformed))
    #expect(table.claims(Self.ann, incarnation: 5, at: .zero) == .go)
    #expect(table.claims(Self.ann, incarnation: 5, at: .zero) == .go)
    #expect(isRefused(table.claims(Self.ann, incarnation: 6, at: .zero), with: .malformed))
  }

  @Test func `a reused descriptor replaces its former caller`() {
    var table = table()
    #expect(table.heard(Self.ann, on: 7, at: .zero) == true)
    #expect(table.heard(Self.bob, on: 7, at: .zero) == true)
    #expect(table.descriptor(of: Self.ann) == nil)
    #expect(table.descriptor(of: Self.bob) == 7)
    // A late message of the first takes nothing from the second.
    #expect(table.heard(Self.ann, on: 7, at: .zero) == false)
    #expect(table.descriptor(of: Self.bob) == 7)
    #expect(table.count == 1)
  }
}
