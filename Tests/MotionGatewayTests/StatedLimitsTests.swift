import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionGateway

/// Tries to exceed the default limits of docs/gateway.md at their stated numbers, on a simulated clock.
@Suite struct StatedLimitsTests {
  private static let process = PeerName.Peer.process(LocalPeer(userID: 1, groupID: 1, processID: 10))
  private static let callers = (1...3).map { Caller(name: PeerName(process, serial: $0)) }

  private func table() -> CallerTable {
    var table = CallerTable(GatewayLimits())
    for (index, caller) in Self.callers.enumerated() {
      #expect(table.heard(caller, on: Int32(7 + index), at: .zero) == true)
    }
    return table
  }

  /// The number of attempts that succeed in ten seconds of simulated time, with so many in each hundredth of a second.
  private func successes(attempts: Int, _ attempt: (Duration) -> Bool) -> Int {
    (0...1000).reduce(0) { sum, step in
      sum + (0..<attempts).count { _ in attempt(.milliseconds(10 * step)) }
    }
  }

  @Test func aConnectionSends200RequestsASecondAnd400AtOnce() {
    var table = table()
    let count = successes(attempts: 500) { table.asked(Self.callers[0], bytes: 10, at: $0) == .go }
    #expect((2399...2400).contains(count))
    #expect(table.asked(Self.callers[1], bytes: 10, at: .seconds(10)) == .go, "another connection has its own")
  }

  @Test func aConnectionSends1MiBOfRequestsASecondAnd2MiBAtOnce() {
    var table = table()
    let count = successes(attempts: 300) { table.asked(Self.callers[0], bytes: 1 << 14, at: $0) == .go }
    #expect((12 * 64 - 1...12 * 64).contains(count))
  }

  @Test func aConnectionCommits5000OperationsASecondAnd10000AtOnce() {
    var table = table()
    let count = successes(attempts: 300) { table.commits(Self.callers[0], operations: 50, at: $0) == .go }
    #expect((1199...1200).contains(count))
  }

  // Clauses: S16.16
  @Test func `a connection gets 20,000 rows a second, and all together get 50,000`() {
    var one = table()
    let rows = successes(attempts: 100) { one.asks(Self.callers[0], rows: 500, at: $0) == .go }
    #expect((479...480).contains(rows), "40,000 at once and 200,000 in ten seconds")
    var shared = table()
    var granted = 0
    for caller in Self.callers {
      while case .go = shared.asks(caller, rows: 1000, at: .zero) { granted += 1000 }
    }
    #expect(granted == 100_000, "twice 50,000 at once")
    granted = 0
    for caller in Self.callers {
      while case .go = shared.asks(caller, rows: 1000, at: .seconds(1)) { granted += 1000 }
    }
    #expect(granted == 50_000)
  }

  @Test func aConnectionIsClosedAfter40RefusalsAtOnceOrMoreThan20ASecond() {
    let refusal = Refusal(.limit, "too much", remedy: "less")
    func isRefused(_ verdict: CallerTable.Verdict) -> Bool { if case .refuse = verdict { true } else { false } }
    var burst = table()
    for _ in 0..<40 { #expect(isRefused(burst.refused(Self.callers[0], refusal, at: .zero))) }
    #expect(!isRefused(burst.refused(Self.callers[0], refusal, at: .zero)))
    var steady = table()
    for number in 1...2000 {
      #expect(isRefused(steady.refused(Self.callers[0], refusal, at: .milliseconds(50 * number))))
    }
    // 25 a second: the initial 40 last for some eight seconds.
    let count = (1...2000).prefix { number in
      isRefused(steady.refused(Self.callers[1], refusal, at: .milliseconds(40 * number)))
    }.count
    #expect((190...210).contains(count), "\(count)")
  }

  @Test func theGatewayPassesOn100SubscriptionsASecondAnd200AtOnce() {
    var forwarding = Forwarding(GatewayLimits(), at: .zero)
    for number in 0..<4096 { forwarding.want([UInt8(number >> 8), UInt8(number & 255)]) }
    #expect(forwarding.take(at: .zero).count == 200)
    let count = (1...1000).reduce(0) { $0 + forwarding.take(at: .milliseconds(10 * $1)).count }
    #expect((999...1000).contains(count))
  }

  @Test func `clients add nothing above 10,000 targets or 100,000 intentions`() throws {
    func budget(targets: Int, intentions: Int, properties: Int = 0) -> RuntimeBudget {
      var counts = Status.Counts()
      (counts.targets, counts.intentions, counts.properties) = (targets, intentions, properties)
      var budget = RuntimeBudget(GatewayLimits())
      #expect(budget.asks(at: .zero) == true)
      budget.learned(counts, at: .zero)
      return budget
    }
    var transaction = Transaction()
    transaction.add(.springTo("position", [1]), to: "visitor")
    let commit = Envelope.Body.commit(Commit(transaction, id: TransactionID(high: 1, low: 1)))
    for (targets, intentions) in [(9_999, 0), (0, 99_999)] {
      var budget = budget(targets: targets, intentions: intentions)
      #expect(try budget.check(commit) == true)
      #expect(throws: Refusal.self) { try budget.check(commit) }
    }
    var long = budget(targets: 10_000, intentions: 10_001, properties: 10_000)
    #expect(try long.check(.query(.properties(nil))) == true)
    #expect(throws: Refusal.self) { try long.check(.query(.intentions(nil))) }
    #expect(long.allowsEverything == true)
    #expect(budget(targets: 1, intentions: 1, properties: 10_001).allowsEverything == false)
  }

  @Test func aConnectionHas256TopicsOf256Bytes() {
    let limits = GatewayLimits()
    var ledger = SubscriptionLedger(topics: limits.topics, bytes: limits.topics * Topic.longestSubscription)
    func topic(_ number: Int, bytes: Int) -> [UInt8] {
      Topic.subscription("v/\(number)") + Array(repeating: 120, count: bytes - "v/\(number)".utf8.count)
    }
    for number in 0..<256 { #expect(ledger.subscribed(1, on: 11, to: topic(number, bytes: 256)) == .began) }
    #expect(ledger.subscribed(1, on: 11, to: topic(256, bytes: 10)) == .tooMany)
    #expect(ledger.subscribed(2, on: 12, to: topic(0, bytes: 257)) == .tooMany)
  }

  @Test func aWorkerSends2500MessagesAnd16MiBASecond() {
    func relay() -> WorkerRelay { WorkerRelay(ports: [1, 2, 3, 4], WorkerGatewayLimits(), at: .zero) }
    var messages = relay()
    let count = successes(attempts: 6000) { messages.takes(1, at: $0) }
    #expect((29_999...30_000).contains(count), "5,000 at once and 25,000 in ten seconds")
    var bytes = relay()
    let mebibytes = successes(attempts: 40) { bytes.takes(1 << 20, at: $0) }
    #expect((191...192).contains(mebibytes), "32 MiB at once and 160 MiB in ten seconds")
    let limits = WorkerGatewayLimits()
    #expect(limits.memory == 512 << 20 && limits.connections == 32 && limits.messageBytes == 1 << 20)
    #expect(limits.requestsWaiting == 16)
  }
}
