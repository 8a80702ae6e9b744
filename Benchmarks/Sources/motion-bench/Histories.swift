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
      Workers move lanes at 120 Hz, and a client commits 50 times a second. The loop's thread delays frames, the others \
      do not.
      """)

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let printer = Printer(options)
    for lanes in options.quick ? [10] : [100, 1_000, 10_000] {
      var (on, off) = ([Cost](), [Cost]())
      // In turns, because the machine may be busy with others.
      for _ in 0..<(options.quick ? 1 : 3) {
        off.append(try measure(lanes, ["--history", "none"]))
        on.append(try measure(lanes, []))
      }
      let series: [(String, KeyPath<Cost, Double>, Double?)] = [
        ("the loop", \.loop, 1.05), ("all threads", \.all, nil),
      ]
      for (series, cost, target) in series {
        try printer.show(
          Row(
            benchmark: "history", series: series, size: lanes, cost: on.map { $0[keyPath: cost] }.min() ?? 0,
            reference: off.map { $0[keyPath: cost] }.min() ?? 0, unit: "µs", comparedWith: "without a history",
            target: target))
      }
    }
  }

  /// The processor time of a frame, in microseconds.
  private struct Cost {
    var loop: Double
    var all: Double
  }

  private func measure(_ lanes: Int, _ arguments: [String]) throws -> Cost {
    let server = try daemon.start(options: arguments)
    let client = try server.connect()
    defer { server.process.terminate() }
    try client.commit(lanes) { index in
      let tween = TweenIntention("x", values: [[1]], from: [0], duration: .seconds(100_000))
      return .add(tween.intention, named: nil, to: try TargetName("t\(index)"))
    }
    try client.wait(for: "the worker") { status in
      status.plugins.flatMap(\.workers).contains { $0.state == .ready }
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
