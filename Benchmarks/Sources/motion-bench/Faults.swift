import ArgumentParser
import CReference
import Foundation
import MotionClient
import MotionModel

/// `motion-bench faults`
struct Faults: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "How soon a dead or silent worker is noticed and replaced, against what the kernel alone takes.",
    discussion: """
      A worker that moves something is killed, or stopped, and the daemon is asked again and again how it is: what is \
      measured includes the answer.
      """)

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let printer = Printer(options)
    let server = try daemon.start()
    let client = try server.connect()
    defer { server.process.terminate() }
    try client.commit(16) { index in
      let tween = TweenIntention("x", values: [[1]], from: [0], duration: .seconds(100_000))
      return .add(tween.intention, named: nil, to: try TargetName("t\(index)"))
    }
    let (ends, starts) = try bareProcess()
    var (noticed, back, silent) = (Latencies(), Latencies(), Latencies())
    for _ in 0..<(options.quick ? 1 : 50) {
      let times = try fault(SIGKILL, client)
      noticed.add(times.noticed)
      back.add(times.back)
    }
    for _ in 0..<(options.quick ? 1 : 20) { silent.add(try fault(SIGSTOP, client).noticed) }
    let limits = [("death noticed", noticed, ends, 20_000.0), ("death to serving again", back, starts, 500_000)]
    for (series, times, reference, limit) in limits {
      let row = times.rows(
        "faults", series, size: 1, beside: reference,
        comparedWith: series == "death noticed" ? "wait for a bare child" : "start and end of a bare child",
        limits: ["p50": limit, "p99": limit])
      for row in row { try printer.show(row) }
    }
    // Five heartbeats of 200 ms are what is allowed before a silence counts.
    let timeout = Latencies([1_000_000_000])
    for row in silent.rows(
      "faults", "hang noticed", size: 1, beside: timeout, comparedWith: "five heartbeats",
      limits: ["p50": 1_200_000, "p99": 1_200_000])
    { try printer.show(row) }
  }

  /// Does this to the worker: how long it takes, in nanoseconds, until the daemon says that it is gone, and until its
  /// successor serves.
  private func fault(_ signal: Int32, _ client: MotionClient) throws -> (noticed: Int64, back: Int64) {
    // So that the deaths of one measurement never give the plugin up; and what has just begun has come to itself.
    let before = try wait(client) { $0.state == .ready ? $0 : nil }
    try client.restart("tween")
    let worker = try wait(client) { $0.state == .ready && $0.incarnation > before.incarnation ? $0 : nil }
    // The one before is on its way out for a moment.
    usleep(300_000)
    let start = reference_boot_clock()
    kill(worker.processID, signal)
    _ = try wait(client) { $0.processID != worker.processID ? $0 : nil }
    let noticed = reference_boot_clock() - start
    _ = try wait(client) { $0.state == .ready && $0.incarnation > worker.incarnation ? $0 : nil }
    return (noticed, reference_boot_clock() - start)
  }

  /// Asks until the worker is as wanted, without a pause: an answer takes a fraction of a millisecond.
  private func wait(_ client: MotionClient, _ isSo: (WorkerRow) -> WorkerRow?) throws -> WorkerRow {
    let limit = Date().addingTimeInterval(20)
    while Date() < limit {
      let rows = try client.plugins().flatMap(\.workers)
      if let row = rows.first(where: { $0.address.plugin == "tween" }).flatMap(isSo) { return row }
    }
    throw BenchFailure("the worker does not come back")
  }

  /// How long it takes until a child that was killed is known to be dead, and until one has started and ended.
  private func bareProcess() throws -> (ends: Latencies, starts: Latencies) {
    var (ends, starts) = (Latencies(), Latencies())
    for _ in 0..<(options.quick ? 1 : 50) {
      var start = reference_boot_clock()
      try waitForEnd(of: spawn(["/bin/true"]))
      starts.add(reference_boot_clock() - start)
      let child = try spawn(["/bin/sleep", "100"])
      start = reference_boot_clock()
      kill(child, SIGKILL)
      try waitForEnd(of: child)
      ends.add(reference_boot_clock() - start)
    }
    return (ends, starts)
  }

  private func spawn(_ words: [String]) throws -> pid_t {
    var child: pid_t = 0
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    guard posix_spawn(&child, words[0], nil, nil, arguments, nil) == 0 else {
      throw BenchFailure("\(words[0]) does not start")
    }
    return child
  }

  private func waitForEnd(of child: pid_t) throws {
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child else { throw BenchFailure("the reference does not end") }
  }
}
