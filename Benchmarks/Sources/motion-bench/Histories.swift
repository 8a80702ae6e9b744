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
      frames, the others do not. Medians of pairs, because the machine may be busy with others.
      """)

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let printer = Printer(options)
    let runs: [(Mover, lanes: Int)] = [(.springs, 10_000), (.worker, 100), (.worker, 1_000)]
    for (mover, lanes) in options.quick ? [(.springs, 100), (.worker, 10)] : runs {
      var (on, off) = ([Cost](), [Cost]())
      for _ in 0..<(options.quick ? 1 : 5) {
        off.append(try measure(mover, lanes, ["--history", "none"]))
        on.append(try measure(mover, lanes, []))
      }
      let series: [(String, KeyPath<Cost, Double>, Double?)] = [
        ("the loop", \.loop, 1.05), ("all threads", \.all, nil),
      ]
      for (series, cost, target) in series {
        try printer.show(
          Row(
            benchmark: "history", series: "\(mover.rawValue), \(series)", size: lanes,
            cost: Self.median(on.map { $0[keyPath: cost] }), reference: Self.median(off.map { $0[keyPath: cost] }),
            unit: "µs", comparedWith: "without a history", target: target))
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

  /// The processor time of a frame, in microseconds.
  private struct Cost {
    var loop: Double
    var all: Double
  }

  private func measure(_ mover: Mover, _ lanes: Int, _ arguments: [String]) throws -> Cost {
    let server = try daemon.start(options: arguments)
    let client = try server.connect()
    defer { server.process.terminate() }
    try client.commit(lanes) { index in
      let tween = TweenIntention("x", values: [[1]], from: [0], duration: .seconds(100_000))
      let spring = SpringToIntention("x", [1], .perceived(duration: .seconds(3_600)))
      return .add(
        mover == .springs ? spring.intention : tween.intention, named: nil, to: try TargetName("t\(index)"))
    }
    try client.wait(for: "motion") { status in
      mover == .springs ? status.frame.number > 2 : status.plugins.flatMap(\.workers).contains { $0.state == .ready }
    }
    usleep(options.quick ? 100_000 : 1_000_000)
    let (begin, before) = (try client.status().frame.number, server.facts)
    let (loop, all) = (before.time(ofThread: "coordinator"), before.processorTime)
    let end = Date().addingTimeInterval(options.quick ? 0.3 : 5)
    var commits = 0
    while Date() < end {
      var transaction = Transaction()
      transaction.add(.springTo("y", [Double(commits)]), to: "cue")
      try client.commit(transaction)
      commits += 1
      usleep(20_000)
    }
    let frames = Double(try client.status().frame.number - begin)
    return Cost(
      loop: (server.facts.time(ofThread: "coordinator") - loop) / frames * 1e6,
      all: (server.facts.processorTime - all) / frames * 1e6)
  }
}
