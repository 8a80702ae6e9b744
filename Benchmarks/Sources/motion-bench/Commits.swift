import ArgumentParser
import CReference
import Foundation
import MotionClient
import MotionModel
import MotionWire

/// `motion-bench commit`
struct Commits: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commit",
    abstract: "From a commit to its receipt, and to the frame that applies it, against a bare ping of the same bytes.")

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  @Option(help: "Measure only a transaction of so many operations.")
  var operations: Int?

  func run() throws {
    let printer = Printer(options)
    if let operations {
      for row in try application(operations, journal: false) { try printer.show(row) }
      return
    }
    for row in try receipts(journal: true) + receipts(journal: false) { try printer.show(row) }
    for clients in options.quick ? [2] : [1, 2, 4, 8] {
      try printer.show(throughput(clients, journal: true))
      try printer.show(throughput(clients, journal: false))
    }
    for row in try recovery() { try printer.show(row) }
    for operations in options.quick ? [1, 100] : [1, 10, 100, 1_000, 10_000, 100_000] {
      for journal in operations < 100_000 ? [false] : [false, true] {
        for row in try application(operations, journal: journal) { try printer.show(row) }
      }
    }
  }

  // MARK: One intention

  /// Each commit finds an idle daemon: what it adds holds a property where it is, so that one frame is all it takes.
  private func receipts(journal: Bool) throws -> [Row] {
    let count = options.quick ? 50 : 3_000
    let server = try daemon.start(journal: journal)
    let client = try server.connect()
    var latencies = Latencies()
    for _ in 0..<count {
      let start = reference_boot_clock()
      try client.commit(Self.holding)
      latencies.add(reference_boot_clock() - start)
      usleep(1_000)
    }
    guard journal else {
      return latencies.rows(
        "commit", "receipt without a journal", size: 1, beside: try ping(Self.bytes(of: Self.holding), count),
        comparedWith: "a bare ping", limits: ["p50": 1_000])
    }
    let path = server.directory["sync"]
    return latencies.rows(
      "commit", "receipt of one intention", size: 1,
      beside: Latencies(try measured(count) { reference_sync(path, 200, Int64(count), $0) }),
      comparedWith: "a bare fdatasync", limits: ["p50": 1_000])
  }

  /// A plan that keeps a property where it is, under a name: each replaces the one before.
  private static var holding: Transaction {
    var transaction = Transaction()
    transaction.add(.anchoredSpring("opacity", [1]), named: "hold", to: "target")
    return transaction
  }

  private func ping(_ bytes: Int, _ count: Int) throws -> Latencies {
    let scratch = try Scratch()
    let peer = try ChildProcess(peer: ["echo", scratch.endpoint("echo")])
    defer { peer.kill() }
    return Latencies(try measured(count) { reference_ping(scratch.endpoint("echo"), bytes, Int64(count), $0) })
  }

  static func bytes(of transaction: Transaction) -> Int { encoded(transaction).count }

  static func encoded(_ transaction: Transaction) -> [UInt8] {
    Envelope(epoch: 1, incarnation: 1, sequence: 1, sent: 1, .commit(Commit(transaction, id: .random()))).encoded()
  }

  // MARK: Many clients

  private func throughput(_ clients: Int, journal: Bool) throws -> Row {
    let server = try daemon.start(journal: journal)
    let flood = try Flood(clients: clients, of: server)
    let begin = reference_boot_clock()
    usleep(options.quick ? 100_000 : 3_000_000)
    let commits = flood.end()
    guard commits.count == clients else { throw BenchFailure("\(clients - commits.count) clients failed") }
    let seconds = Double(reference_boot_clock() - begin) * 1e-9
    server.process.terminate()

    let scratch = try Scratch()
    let peer = try ChildProcess(peer: ["echo", scratch.endpoint("echo")])
    let endpoint = scratch.endpoint("echo")
    let (bytes, pings) = (Self.bytes(of: Self.holding), options.quick ? 100 : 10_000)
    let start = reference_boot_clock()
    let threads = Threads(clients) { _ in try measured(pings) { reference_ping(endpoint, bytes, Int64(pings), $0) } }
    for result in threads.join() { _ = try result.get() }
    let referenceSeconds = Double(reference_boot_clock() - start) * 1e-9
    peer.kill()
    return Row(
      benchmark: "commit", series: journal ? "a commit, clients at once" : "the same without a journal", size: clients,
      cost: seconds * 1e6 / Double(commits.reduce(0, +)), reference: referenceSeconds * 1e6 / Double(pings * clients),
      unit: "µs", comparedWith: "a bare ping of as many", limit: clients == 8 ? 200 : nil)
  }

  // MARK: Recovery

  /// From a kill to a daemon that serves with everything in its place: with live intentions, whose checkpoint is read, and
  /// with transactions after the last checkpoint, which are done again.
  private func recovery() throws -> [Row] {
    let (live, commits) = options.quick ? (100, 100) : (10_000, 100_000)
    let server = try daemon.start()
    let client = try server.connect()
    try client.commit(live) { .add(.anchoredSpring("x", [1]), named: nil, to: try TargetName("t\($0)")) }
    try client.wait(for: "a checkpoint") { $0.journal?.rowsSinceCheckpoint == 0 }
    var rows = [try restart(of: server, "restart with live intentions", live, limit: 1_000) { $0.intentions == live }]
    // While time stands nothing moves, so that no checkpoint covers them.
    let other = try daemon.start()
    let paused = try other.connect()
    try paused.clock(.pause)
    let place = other.runtimeDirectory
    let threads = Threads(8) { number in
      let client = try MotionClient(connectingTo: place, name: "motion-bench", timeout: Daemon.timeout)
      for part in 0..<commits / 8 {
        var transaction = Transaction()
        transaction.add(.anchoredSpring("x", [1]), to: try TargetName("c\(number).\(part)"))
        try client.commit(transaction, timeout: Daemon.timeout)
      }
    }
    for result in threads.join() { _ = try result.get() }
    rows.append(
      try restart(of: other, "restart with rows to do again", commits, limit: 2_000) { $0.targets == commits / 8 * 8 })
    return rows
  }

  private func restart(
    of server: Daemon, _ series: String, _ size: Int, limit: Double, isWhole: (Status.Counts) -> Bool
  ) throws -> Row {
    let empty = try daemon.start()
    _ = try empty.connect()
    func milliseconds(_ server: Daemon) throws -> (Double, Status.Counts) {
      let start = reference_boot_clock()
      try server.killAndRestart()
      let counts = try server.connect().status().counts
      return (Double(reference_boot_clock() - start) * 1e-6, counts)
    }
    let (reference, _) = try milliseconds(empty)
    let (cost, counts) = try milliseconds(server)
    guard isWhole(counts) else { throw BenchFailure("not everything came back: \(counts)") }
    return Row(
      benchmark: "commit", series: series, size: size, cost: cost, reference: reference, unit: "ms",
      comparedWith: "a restart with nothing", limit: limit)
  }

  // MARK: Large transactions

  /// From the first byte of a transaction to the frame that has applied it, what it costs in memory, and how late the
  /// frames were meanwhile for somebody who watches something else.
  ///
  /// The targets are those of a motiond that keeps nothing; what it costs to have it on disk first is shown beside.
  private func application(_ operations: Int, journal: Bool) throws -> [Row] {
    let server = try daemon.start(journal: journal)
    let client = try server.connect()
    try client.move(1)
    let moving = Listener(server.valuesEndpoint, topic: "v/t0", of: .motiond)
    _ = try moving.frames(10)
    let last = try client.subscribe(to: [.values(.target(try TargetName("r\(operations - 1)")))])
    try last.synchronise(timeout: .seconds(5))
    while try last.next(timeout: .milliseconds(10)) != nil {}
    let spring = Intention.springTo("x", [1000])
    let transaction = Transaction(
      log: try (0..<operations).map { .add(spring, named: nil, to: try TargetName("r\($0)")) })
    let bytes = Self.bytes(of: transaction)
    let encoding = reference_boot_clock()
    _ = Self.encoded(transaction)
    let start = reference_boot_clock()
    try client.commit(transaction, timeout: Daemon.timeout)
    guard let event = try last.next(timeout: Daemon.timeout), case .values = event else {
      throw BenchFailure("the commit was not applied")
    }
    // What the client takes to write the message is its own.
    let (whole, written) = (reference_boot_clock() - start, start - encoding)
    let worst = try worstGap(moving)
    let again = try client.commit(
      Transaction(
        log: try (0..<operations).map { .add(.springTo("x", [2000]), named: nil, to: try TargetName("r\($0)")) }),
      timeout: Daemon.timeout)
    let worstAgain = try worstGap(moving, after: again.frame ?? 0)
    let pinged = try ping(bytes, operations > 10_000 ? 5 : 20)
    let kept = journal ? ", kept by a journal" : ""
    let isTarget = operations == 100_000 && !journal
    var rows = [
      Row(
        benchmark: "commit", series: "operations to applied\(kept)", size: operations,
        cost: Double(whole - written) * 1e-6, reference: pinged.microseconds(50) * 1e-3, unit: "ms",
        comparedWith: "a bare ping", limit: isTarget ? 300 : nil),
      Row(
        benchmark: "commit", series: "the same, and what the client takes to write it\(kept)", size: operations,
        cost: Double(whole) * 1e-6, reference: pinged.microseconds(50) * 1e-3, unit: "ms", comparedWith: "a bare ping"),
      Row(
        benchmark: "commit", series: "latest frame meanwhile\(kept)", size: operations, cost: worst * 1e3,
        reference: 1e3 / 120, unit: "ms", comparedWith: "one period",
        target: isTarget ? 2 : nil),
      Row(
        benchmark: "commit", series: "latest frame, of targets that move already\(kept)", size: operations,
        cost: worstAgain * 1e3, reference: 1e3 / 120, unit: "ms", comparedWith: "one period",
        target: isTarget ? 2 : nil),
    ]
    if operations >= 1_000 { rows.append(try memory(operations, journal: journal)) }
    return rows
  }

  /// How much later than its period the latest of the frames was that were heard until now, and until a frame, in seconds.
  private func worstGap(_ listener: Listener, after frame: UInt64 = 0) throws -> Double {
    var (worst, former): (Double, Listener.Heard?) = (0, nil)
    let end = Double(reference_boot_clock()) * 1e-9
    while let heard = try listener.next(within: 5) {
      if let former { worst = max(worst, heard.sent - former.sent - 1.0 / 120) }
      former = heard
      if heard.sent > end, heard.frame > frame { break }
    }
    return worst
  }

  /// What an intention takes for as long as it lives: of a daemon that was given so many twice.
  private func memory(_ operations: Int, journal: Bool) throws -> Row {
    let server = try daemon.start(journal: journal)
    let client = try server.connect()
    func hold(_ name: String) throws -> Int {
      let plan = Intention.anchoredSpring("x", [0])
      try client.commit(operations) { .add(plan, named: nil, to: try TargetName("\(name)\($0)")) }
      try client.wait(for: "rest") { !$0.isActive && $0.journal?.rowsSinceCheckpoint ?? 0 == 0 }
      return server.facts.residentBytes
    }
    let empty = server.facts.residentBytes
    _ = try hold("a")
    let full = try hold("b")
    let bytes = Double(full - empty) / Double(2 * operations)
    // What is said of a plan: a name, a type and two numbers, as long as its message.
    let said = Double(Self.bytes(of: Transaction(log: [.add(.anchoredSpring("x", [0]), named: nil, to: "a1")])))
    return Row(
      benchmark: "commit", series: "memory of an intention\(journal ? ", kept by a journal" : "")", size: operations,
      cost: bytes, reference: said, unit: "B", comparedWith: "its message",
      limit: operations == 100_000 ? 1_000 : nil)
  }
}
