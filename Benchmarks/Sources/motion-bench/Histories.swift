import ArgumentParser
import Foundation
import MotionClient
import MotionModel

/// `motion-bench history`
struct Histories: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "The processor time of a frame with the history, against that without, of a busy motiond.",
    discussion: """
      Springs or a worker move lanes at 120 Hz, and a client commits 50 times a second. The loop's thread delays \
      frames, the others do not. Both daemons run at the same time, so that whatever else the machine does slows both; \
      they take turns in who starts, and commits, first. They are started 24 times, as two daemons without a history \
      differ by a tenth, depending on where their memory is. The cost and the ratio are medians of seconds.
      """)

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let printer = Printer(options)
    let runs: [(Mover, lanes: Int)] = [(.springs, 10_000), (.worker, 100), (.worker, 1_000)]
    for (mover, lanes) in options.quick ? [(.springs, 100), (.worker, 10)] : runs {
      var pairs: [(on: Cost, off: Cost)] = []
      for run in 0..<(options.quick ? 1 : 24) {
        let settings = [[], ["--history", "none"]]
        let costs = try measure(mover, lanes, run.isMultiple(of: 2) ? settings : settings.reversed())
        pairs += costs.map { run.isMultiple(of: 2) ? (on: $0[0], off: $0[1]) : (on: $0[1], off: $0[0]) }
      }
      let series: [(String, KeyPath<Cost, Double>, Double?)] = [
        ("the loop", \.loop, 1.05), ("all threads", \.all, nil),
      ]
      for (series, cost, target) in series {
        let reference = Self.median(pairs.map { $0.off[keyPath: cost] })
        let ratio = Self.median(pairs.map { $0.on[keyPath: cost] / $0.off[keyPath: cost] })
        try printer.show(
          Row(
            benchmark: "history", series: "\(mover.rawValue), \(series)", size: lanes, cost: ratio * reference,
            reference: reference, unit: "µs", comparedWith: "without a history", target: target))
      }
    }
  }

  /// What moves the lanes.
  private enum Mover: String {
    case springs
    /// A worker updates some 2,000 lanes at 120 Hz on one core.
    case worker
  }

  private static func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

  /// The costs of two daemons, which are started with these arguments, in the same seconds.
  private func measure(_ mover: Mover, _ lanes: Int, _ arguments: [[String]]) throws -> [[Cost]] {
    var daemons = try arguments.map { try begin(mover, lanes, $0) }
    defer { for daemon in daemons { daemon.server.process.terminate() } }
    usleep(options.quick ? 100_000 : 1_000_000)
    return try (0..<(options.quick ? 1 : 2)).map { _ in
      for index in daemons.indices { try daemons[index].start() }
      let end = Date().addingTimeInterval(options.quick ? 0.3 : 1)
      var first = 0
      while Date() < end {
        // The first one wakes the processor.
        try daemons[first].commit()
        try daemons[1 - first].commit()
        first = 1 - first
        usleep(20_000)
      }
      return try daemons.map { try $0.cost() }
    }
  }

  private func begin(_ mover: Mover, _ lanes: Int, _ arguments: [String]) throws -> Busy {
    let server = try daemon.start(options: arguments)
    let client = try server.connect()
    try client.commit(lanes) { index in
      let tween = TweenIntention("x", values: [[1]], from: [0], duration: .seconds(100_000))
      let spring = SpringToIntention("x", [1], .perceived(duration: .seconds(3_600)))
      return .add(
        mover == .springs ? spring.intention : tween.intention, named: nil, to: try TargetName("t\(index)"))
    }
    try client.wait(for: "motion") { status in
      mover == .springs ? status.frame.number > 2 : status.plugins.flatMap(\.workers).contains { $0.state == .ready }
    }
    return Busy(server: server, client: client)
  }
}

/// A daemon in which lanes move.
private struct Busy {
  let server: Daemon
  let client: MotionClient
  private var commits = 0
  private var (frame, loop, all): (UInt64, Double, Double) = (0, 0, 0)

  init(server: Daemon, client: MotionClient) { (self.server, self.client) = (server, client) }

  private var threads: (loop: Double, all: Double) {
    (server.facts.time(ofThread: "coordinator"), server.facts.processorTime)
  }

  mutating func start() throws {
    frame = try client.status().frame.number
    (loop, all) = threads
  }

  mutating func commit() throws {
    var transaction = Transaction()
    transaction.add(.springTo("y", [Double(commits)]), to: "cue")
    try client.commit(transaction)
    commits += 1
  }

  /// The cost of a frame since the start.
  func cost() throws -> Cost {
    let frames = Double(try client.status().frame.number - frame)
    return Cost(loop: (threads.loop - loop) / frames * 1e6, all: (threads.all - all) / frames * 1e6)
  }
}

/// The processor time of a frame, in microseconds.
private struct Cost {
  var loop: Double
  var all: Double
}
