import Faults
import LinuxSystem
import MotionClient
import MotionModel
import Testing
import ZeroMQ

extension TimedTests {
  /// The time until a killed motiond serves again with everything restored. A busy machine has its own times, so only
  /// the shortest of three is checked against a limit; `motion-bench commit` measures the same beside references.
  @Suite struct RestoreTimesTests {
    private static let count = 10_000

    /// The promise of a second is for optimised programs. Debug builds take several times as long to verify, decode and
    /// add the journal's content, and get five.
    #if DEBUG
      private static let limit = Duration.seconds(5)
    #else
      private static let limit = Duration.seconds(1)
    #endif

    @Test(
      .fault(
        .processes, "motiond is killed with 10,000 live plans",
        by: "SIGKILL, and a start in the same directory, three times",
        promise: "each plan is restored; within a second, if motiond is built optimised"))
    func `ten thousand plans are restored soon after a kill`() throws {
      var daemon = try Daemon()
      let client = try daemon.connect()
      let targets = try (0..<Self.count).map { try TargetName("kept-\($0)") }
      var transaction = Transaction()
      for target in targets { transaction.add(.anchoredSpring("x", 1), to: target) }
      try client.commit(transaction, timeout: .seconds(30))
      let committed = try #require(try client.status().journal).lastRow
      // Rows that store the time may follow the transaction's before a checkpoint is written.
      try awaitTruth("a checkpoint of all", within: .seconds(30)) {
        let status = try client.status()
        guard let journal = status.journal, journal.checkpointBytes > 0 else { return false }
        return status.counts.intentions == Self.count && journal.lastRow - journal.rowsSinceCheckpoint >= committed
      }
      var times: [Duration] = []
      for _ in 0..<3 {
        let start = BootClock.now
        daemon.process.kill()
        daemon = try Daemon(in: daemon.directory)
        let next = try daemon.connect()
        let there = try next.status().counts.intentions
        times.append(BootClock.now - start)
        FaultMeasures.measured(times[times.count - 1], "kill to serving with all of them")
        #expect(there == Self.count)
        let plans = try next.intentions()
        #expect(plans.count == Self.count && Set(plans.map(\.target)) == Set(targets))
        #expect(plans.allSatisfy { $0.intention.type == "AnchoredSpring" && $0.state == .added })
      }
      print("kill to serving with \(Self.count) plans: \(times)")
      #expect(times.contains { $0 <= Self.limit }, "\(times)")
    }
  }
}
