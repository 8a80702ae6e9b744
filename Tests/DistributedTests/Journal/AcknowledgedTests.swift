import Faults
import Foundation
import Glibc
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
    /// What clients were told.
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

    /// A client that commits plans, each for a target of its own, until all is over.
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

    // Clauses: S17.2, S17.7, S17.10
    @Test(
      .fault(
        .processes, "motiond is killed again and again while eight clients commit",
        by: "SIGKILL within commits, from a seed",
        promise: "what was acknowledged is there, each once, and nothing else"))
    func `exactly what was acknowledged is there, each once, however often motiond is killed`() throws {
      let seed = SeededRandom.seed(of: "AcknowledgedTests")
      var random = SeededRandom(seed: seed)
      var daemon = try Daemon(rate: 30)
      let account = Account()
      let paths = daemon.paths
      for number in 0..<8 { Thread.detachNewThread { Self.commit(number, to: paths, account) } }
      for _ in 0..<6 {
        let before = account.receipts.withLock { $0.count }
        let wanted = before + Int.random(in: 1...120, using: &random)
        try awaitTruth("more receipts", within: .seconds(30)) { account.receipts.withLock { $0.count } >= wanted }
        // Not between two commits but within one: at some moment of the next milliseconds. Nothing is waited for: when it
        // is killed is what is tried, and the seed that a failure prints draws the same moments again.
        usleep(UInt32.random(in: 0...5000, using: &random))
        let death = BootClock.now
        daemon.process.kill()
        daemon = try Daemon(rate: 30, in: daemon.directory)
        FaultMeasures.measured(BootClock.now - death, "kill to serving again")
      }
      account.isOver.store(true, ordering: .relaxed)
      try awaitTruth("the end of all clients", within: .seconds(40)) { account.finished.load(ordering: .relaxed) == 8 }
      #expect(account.problems.withLock { $0 } == [], "seed \(seed)")

      let receipts = account.receipts.withLock { $0 }
      // Killed once more, with nothing under way.
      daemon.process.kill()
      daemon = try Daemon(rate: 30, in: daemon.directory)
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
  }
}
