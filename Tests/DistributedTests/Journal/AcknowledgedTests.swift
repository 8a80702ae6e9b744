import Faults
import Foundation
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Synchronization
import Testing
import ZeroMQ

extension DistributedTests {
  /// Eight clients commit while motiond is killed again and again.
  @Suite struct AcknowledgedTests {
    /// The receipts that clients received.
    private final class Account: Sendable {
      let receipts = Mutex<[(target: TargetName, id: TransactionID, sequence: UInt64)]>([])
      let given = Mutex<[TargetName]>([])
      let problems = Mutex<[String]>([])
      let isOver = Atomic(false)
      let finished = Atomic(0)
    }

    private static func transaction(_ target: TargetName) -> Transaction {
      var transaction = Transaction()
      transaction.add(.anchoredSpring("x", 1), to: target)
      return transaction
    }

    /// A client that commits plans, each for a target of its own, until the test is over.
    private static func commit(_ number: Int, to paths: RuntimePaths, _ account: Account) {
      do {
        let client = try MotionClient(connectingTo: [paths], name: "client \(number)")
        var count = 0
        while !account.isOver.load(ordering: .relaxed) {
          count += 1
          let target = try TargetName("client-\(number).\(count)")
          let id = TransactionID.random()
          account.given.withLock { $0.append(target) }
          let receipt = try client.commit(transaction(target), id: id, timeout: .seconds(30))
          account.receipts.withLock { $0.append((target, id, receipt.sequence)) }
        }
      } catch {
        account.problems.withLock { $0.append("client \(number): \(error)") }
      }
      account.finished.add(1, ordering: .relaxed)
    }

    /// Starts eight clients.
    private static func commit(to paths: RuntimePaths, _ account: Account) {
      for number in 0..<8 { Thread.detachNewThread { Self.commit(number, to: paths, account) } }
    }

    /// Waits until this many more receipts have arrived.
    private func awaitReceipts(_ count: Int, _ account: Account) throws {
      let wanted = account.receipts.withLock { $0.count } + count
      try awaitTruth("more receipts", within: .seconds(30)) { account.receipts.withLock { $0.count } >= wanted }
    }

    /// Stops the clients, and compares their receipts with the present plans, here and in the next motiond.
    private func check(_ account: Account, _ daemon: Daemon, _ random: inout SeededRandom, _ seed: UInt64) throws {
      account.isOver.store(true, ordering: .relaxed)
      try awaitTruth("the end of all clients", within: .seconds(40)) { account.finished.load(ordering: .relaxed) == 8 }
      #expect(account.problems.withLock { $0 } == [], "seed \(seed)")

      let receipts = account.receipts.withLock { $0 }
      // Killed once more, with no commit under way.
      daemon.process.kill()
      let daemon = try Daemon(rate: 30, in: daemon.directory)
      let client = try daemon.connect()
      let plans = try client.intentions()
      #expect(plans.count == receipts.count, "seed \(seed)")
      #expect(Set(plans.map(\.target)) == Set(receipts.map(\.target)), "seed \(seed)")
      #expect(Set(receipts.map(\.sequence)).count == receipts.count, "seed \(seed)")
      let sequences = Dictionary(uniqueKeysWithValues: receipts.map { ($0.target, $0.sequence) })
      #expect(plans.allSatisfy { sequences[$0.target] == $0.identity.sequence }, "seed \(seed)")
      for receipt in receipts.shuffled(using: &random).prefix(50) {
        let again = try client.commit(Self.transaction(receipt.target), id: receipt.id)
        #expect(again.isRepeat && again.sequence == receipt.sequence, "seed \(seed)")
      }
      #expect(try client.intentions().count == receipts.count, "seed \(seed)")
    }

    // Clauses: S17.2, S17.7, S17.10
    @Test(
      .fault(
        .processes, "motiond is killed again and again while eight clients commit",
        by: "SIGKILL within commits, from a seed",
        promise: "every acknowledged commit is there once, and nothing else"))
    func `every acknowledged commit is there exactly once after motiond is killed repeatedly`() throws {
      let seed = SeededRandom.seed(of: "AcknowledgedTests")
      var random = SeededRandom(seed: seed)
      var daemon = try Daemon(rate: 30)
      let account = Account()
      Self.commit(to: daemon.paths, account)
      for _ in 0..<6 {
        try awaitReceipts(Int.random(in: 1...120, using: &random), account)
        // Not between two commits but within one: at some moment of the next milliseconds. The test waits for no event:
        // the moment of the kill is what it varies, and the seed that a failure prints draws the same moments again.
        usleep(UInt32.random(in: 0...5000, using: &random))
        let death = BootClock.now
        daemon.process.kill()
        daemon = try Daemon(rate: 30, in: daemon.directory)
        FaultMeasures.measured(BootClock.now - death, "kill to serving again")
      }
      try check(account, daemon, &random, seed)
    }

    /// The ways in which a machine refuses memory to motiond.
    enum Shortage: CaseIterable {
      case refusal
      case limit

      /// Begins the shortage.
      ///
      /// - Returns: the fault that causes it, for as long as it is held.
      func begin(for daemon: Daemon) throws -> SystemCallFault? {
        switch self {
        case .refusal:
          return try SystemCallFault(
            "mmap,brk,mremap,mprotect", "error=ENOMEM", of: daemon.process, in: daemon.directory)
        case .limit:
          try daemon.process.limit("data=\(ProcessFacts(daemon.process.processID).dataBytes)")
          return nil
        }
      }
    }

    /// Neither Swift nor libzmq continue without the memory that they request: motiond ends wherever it was.
    // Clauses: S17.2, S17.10
    @Test(
      .fault(
        .limits, "The kernel gives motiond no more memory", by: "ENOMEM from mmap, brk, mremap and mprotect, by strace",
        promise: "it ends by a signal; the next one has every acknowledged commit once, and nothing else"),
      .fault(
        .limits, "motiond may have no more memory than it has", by: "RLIMIT_DATA (prlimit) while eight clients commit",
        promise: "it ends by a signal; the next one has every acknowledged commit once, and nothing else"),
      arguments: Shortage.allCases)
    func `motiond without memory exits, and the next has every acknowledged commit`(shortage: Shortage) throws {
      let seed = SeededRandom.seed(of: "AcknowledgedTests.memory")
      var random = SeededRandom(seed: seed)
      // Swift would otherwise let a separate process report the crash, which waits for ever for an answer of the
      // crashed process, which has no memory for it.
      var daemon = try Daemon(rate: 30, environment: ["SWIFT_BACKTRACE": "enable=no"])
      let account = Account()
      Self.commit(to: daemon.paths, account)
      try awaitReceipts(Int.random(in: 1...120, using: &random), account)
      let shortage = try shortage.begin(for: daemon)
      let begin = BootClock.now
      try awaitTruth("it ends", within: .seconds(30)) { !daemon.process.isRunning }
      FaultMeasures.measured(BootClock.now - begin, "shortage to its end")
      // A tracer is notified of the end before the parent.
      try shortage?.end()
      let end = try daemon.process.awaitEnd()
      guard case .signalled = end else { throw Problem("it ended by itself, with \(end): \(daemon.log)") }
      daemon = try Daemon(rate: 30, in: daemon.directory)
      try awaitReceipts(20, account)
      try check(account, daemon, &random, seed)
    }
  }
}
