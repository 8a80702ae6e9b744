import ArgumentParser
import Foundation
import MotionClient
import MotionModel

/// `motion-bench inspect`
struct Inspections: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "What frames feel of clients that ask for everything, and of large transactions onto what moves.")

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  /// Targets in the runtime; a thousand of them move.
  private var targets: Int { options.quick ? 2_000 : 100_000 }
  private var moving: Int { options.quick ? 100 : 1_000 }
  private var seconds: Double { options.quick ? 0.5 : 8 }

  func run() throws {
    let printer = Printer(options)
    for rate in options.quick ? [120.0] : [120, 1000] {
      for isTrusted in [true, false] {
        for row in try asked(rate: rate, isTrusted: isTrusted) { try printer.show(row) }
      }
    }
    for moving in options.quick ? [100] : [1_000, 10_000, 100_000] {
      for row in try committed(onto: moving) { try printer.show(row) }
    }
  }

  // MARK: Questions

  /// One client asks for the list of all properties ten times a second, another for the graph of everything.
  private func asked(rate: Double, isTrusted: Bool) throws -> [Row] {
    let server = try daemon.start(rate: rate)
    let client = try server.connect()
    try fill(client)
    let gateway = isTrusted ? nil : try Gateway(bin: daemon.bin, to: server, rows: 4 * targets)
    let directory = gateway?.runtimeDirectory ?? server.runtimeDirectory
    let count = Int(rate * seconds)
    let listener = Listener(server.valuesEndpoint, topic: "v/t0", of: .motiond)
    let quiet = try measure(client) { try Frames.lateness(listener, count, rate: rate) }
    let isOver = OneWayFlag()
    let threads = Threads(2) { index in
      let client = try MotionClient(connectingTo: directory, name: "requester \(index)", timeout: Daemon.timeout)
      var answers = 0
      while !isOver.isSet {
        let begin = Date()
        _ = try client.query(index == 0 ? .properties(nil) : .graph(nil), timeout: Daemon.timeout)
        answers += 1
        // Ten times a second, or as often as answers come, if they take longer.
        usleep(useconds_t(max(0, 0.1 + begin.timeIntervalSinceNow) * 1e6))
      }
      return answers
    }
    // From the first answers on, which find nothing in the caches.
    usleep(500_000)
    let begin = Date()
    let busy = try measure(client) { try Frames.lateness(listener, count, rate: rate) }
    let took = -begin.timeIntervalSinceNow + 0.5
    isOver.set()
    let answers = try threads.join().map { try $0.get() }
    guard answers.allSatisfy({ $0 > 0 }) else { throw BenchFailure("not everything was answered: \(answers)") }
    let who = isTrusted ? "" : ", through a gateway"
    let what = "asked at \(Int(rate)) Hz\(who)"
    return [
      Row(
        benchmark: "inspect", series: "\(what), skipped frames", size: targets, cost: Double(busy.skipped),
        reference: Double(quiet.skipped), unit: "of \(busy.frames)", comparedWith: "the same without questions",
        limit: 0),
      Row(
        benchmark: "inspect", series: "\(what), lists answered", size: targets, cost: Double(answers[0]) / took,
        reference: 10, unit: "/s", comparedWith: "what was wanted"),
      Row(
        benchmark: "inspect", series: "\(what), graphs answered", size: targets, cost: Double(answers[1]) / took,
        reference: 10, unit: "/s", comparedWith: "what was wanted"),
    ]
      + busy.result.rows(
        "inspect", "\(what), late", size: targets, beside: quiet.result, comparedWith: "the same without questions",
        limits: rate > 120 ? ["p99": 2e6 / rate] : [:])
  }

  /// Targets that have arrived, and some that move for ever.
  private func fill(_ client: MotionClient) throws {
    try client.commit(targets) { .add(.springTo("x", [0]), named: nil, to: try TargetName("r\($0)")) }
    try client.wait(for: "rest") { !$0.isActive && $0.counts.executors == 0 }
    try client.move(moving)
  }

  /// What frames were like while something happened.
  private func measure<Result>(
    _ client: MotionClient, while body: () throws -> Result
  ) throws -> (frames: UInt64, skipped: UInt64, result: Result) {
    let before = try client.status()
    let result = try body()
    let after = try client.status()
    return (
      after.frame.number - before.frame.number, after["skipped-frames"] - before["skipped-frames"], result
    )
  }

  // MARK: Transactions

  /// Large transactions one after the other, onto targets that move: spread evenly over them.
  private func committed(onto moving: Int) throws -> [Row] {
    let operations = options.quick ? 2_000 : 100_000
    let server = try daemon.start(rate: 120, journal: false)
    let client = try server.connect()
    try client.move(moving)
    func transaction(_ number: Int) throws -> Transaction {
      let spring = Intention.springTo("x", [Double(number % 2) * 1000], .physical(tension: 342, friction: 0))
      return Transaction(
        log: try (0..<operations).map { .add(spring, named: nil, to: try TargetName("t\($0 % moving)")) })
    }
    let quiet = try measure(client) { usleep(900_000) }
    let rounds = options.quick ? 2 : 10
    let transactions = try (0..<rounds).map(transaction)
    let begin = Date()
    let busy = try measure(client) {
      for transaction in transactions { try client.commit(transaction, timeout: Daemon.timeout) }
      // The last one is applied with the next frame.
      usleep(100_000)
    }
    let took = -begin.timeIntervalSinceNow
    let status = try client.status()
    return [
      Row(
        benchmark: "inspect", series: "\(rounds) transactions onto \(moving) moving targets, skipped frames",
        size: operations, cost: Double(busy.skipped), reference: Double(quiet.skipped), unit: "of \(busy.frames)",
        comparedWith: "the same without", limit: 0),
      Row(
        benchmark: "inspect", series: "the same, latest frame", size: operations, cost: status.lateness.max * 1e3,
        reference: 1e3 / 120, unit: "ms", comparedWith: "one period"),
      Row(
        benchmark: "inspect", series: "the same, from one to the next", size: operations,
        cost: took * 1e3 / Double(rounds), reference: 1e3 / 120, unit: "ms", comparedWith: "one period"),
    ]
  }
}

/// A gateway before a motiond, for clients that are not trusted.
final class Gateway {
  private let process: ChildProcess
  private let directory = try? Scratch()
  let runtimeDirectory: String

  /// Starts one that lets through answers of so many rows, as often as is wanted here.
  init(bin: String, to server: Daemon, rows: Int) throws {
    guard let directory else { throw BenchFailure("no directory can be made in /tmp") }
    runtimeDirectory = directory["gateway"]
    process = try ChildProcess(
      "\(bin)/motion-gateway",
      [
        "--runtime-dir", server.runtimeDirectory, "--gateway-dir", runtimeDirectory, "--read-only", "--memory", "4096",
        "--rows", "\(rows)", "--rows-per-second", "\(20 * rows)",
      ], log: directory["log"])
    let limit = Date().addingTimeInterval(10)
    while true {
      if (try? MotionClient(connectingTo: runtimeDirectory, name: "motion-bench", timeout: Daemon.timeout)) != nil {
        return
      }
      guard Date() < limit, process.isRunning else {
        throw BenchFailure("the gateway does not serve: \(directory.text(of: "log"))")
      }
      usleep(10_000)
    }
  }

  deinit { process.kill() }
}
