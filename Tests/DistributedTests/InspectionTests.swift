import Glibc
import MotionClient
import MotionModel
import MotionTestKit
import Testing
import ZeroMQ

extension TimedTests {
  /// The cost of queries for everything to a running daemon.
  @Suite struct InspectionTests {
    /// A daemon at 120 Hz with this many targets, one of which moves for ever.
    private func daemon(targets: Int) throws -> Daemon {
      let daemon = try Daemon()
      let client = try daemon.connect()
      var transaction = Transaction()
      transaction.add(.springTo("x", [1000], .physical(tension: 342, friction: 0)), to: "ball")
      for number in 1..<targets { transaction.add(.anchoredSpring("x", [0]), to: try TargetName("t\(number)")) }
      try client.commit(transaction, timeout: .seconds(60))
      try awaitTruth("all targets are there") { try client.status().counts.targets == targets }
      return daemon
    }

    /// The number of frames that are skipped during an action: the fewest of three runs, since the machine may be busy.
    private func skipped(_ daemon: Daemon, while body: () throws -> Void) throws -> UInt64 {
      let client = try daemon.connect()
      var fewest = UInt64.max
      for _ in 0..<3 where fewest > 0 {
        let before = try client.status()
        try body()
        let after = try client.status()
        #expect(after.frame.number > before.frame.number)
        fewest = min(fewest, after.skippedFrames - before.skippedFrames)
      }
      return fewest
    }

    // Clauses: S11.20
    @Test(.timeLimit(.minutes(2)))
    func `lists and graphs of twenty thousand targets leave out no frame`() throws {
      let count = 20_000
      let daemon = try daemon(targets: count)
      let client = try daemon.connect()
      let timeout = Duration.seconds(30)
      var rows: [Int] = []
      let fewest = try skipped(daemon) {
        let queries: [Query] = [.targets, .properties(nil), .intentions(nil), .graph(nil)]
        rows = try queries.map { try client.query($0, timeout: timeout).rows }
      }
      #expect(rows == [count, count, count, 4 * count])
      #expect(fewest == 0)
    }

    // Clauses: S11.22
    @Test(.timeLimit(.minutes(2)))
    func `queries are answered after clients are killed during their answers`() throws {
      let daemon = try daemon(targets: 20_000)
      let client = try daemon.connect()
      for _ in 0..<8 {
        let running = try daemon.ctl.start(["list", "properties", "--json"])
        usleep(useconds_t.random(in: 0...100_000))
        running.process.kill()
      }
      #expect(try client.query(.targets, timeout: .seconds(30)).rows == 20_000)
    }
  }
}

extension Status {
  fileprivate var skippedFrames: UInt64 { counters.first { $0.name == "skipped-frames" }?.value ?? 0 }
}

extension Answer {
  fileprivate var rows: Int {
    switch self {
    case .targets(let rows): rows.count
    case .properties(let rows): rows.count
    case .intentions(let rows): rows.count
    case .graph(let graph): graph.nodes.count
    default: 0
    }
  }
}
