import ArgumentParser
import MotionClient
import MotionModel

/// `motion-bench memory`
struct Memory: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "What motiond keeps in memory, against a process with a socket and the bare numbers.")

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let printer = Printer(options)
    let bare = try bareProcess()
    for targets in options.quick ? [0, 1_000] : [0, 100_000, 1_000_000] {
      // The least: value, velocity and destination of each lane.
      let least = bare + 24 * targets
      let limit: Double? = [0: 40, 1_000_000: 500][targets]
      let ways: [(String, Intention)] = [
        ("targets that arrived", .springTo("x", [0])), ("targets held by a spring", .anchoredSpring("x", [0])),
      ]
      for (series, plan) in targets == 0 ? Array(ways.prefix(1)) : ways {
        try printer.show(
          Row(
            benchmark: "memory", series: series, size: targets, cost: Double(try measure(targets, plan)) / 1e6,
            reference: Double(least) / 1e6, unit: "MB", comparedWith: "a bare process and three numbers a lane",
            limit: limit))
      }
    }
  }

  private func measure(_ targets: Int, _ plan: Intention) throws -> Int {
    let server = try daemon.start()
    let client = try server.connect()
    try client.commit(targets) { .add(plan, named: nil, to: try TargetName("t\($0)")) }
    try client.wait(for: "rest") { !$0.isActive && $0.counts.targets >= targets }
    // Rest is when the journal's thread has nothing left to do, too.
    if targets > 0 { try client.wait(for: "a checkpoint") { $0.journal?.rowsSinceCheckpoint == 0 } }
    return server.facts.residentBytes
  }

  /// A process with libzmq, one socket, and this program's libraries.
  private func bareProcess() throws -> Int {
    let scratch = try Scratch()
    let peer = try ChildProcess(peer: ["rest", scratch.endpoint("rest")])
    return try peer.settledFacts(scratch["rest"]).residentBytes
  }
}
