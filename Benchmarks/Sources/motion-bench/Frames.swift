import ArgumentParser
import CReference
import Glibc
import MotionClient
import MotionModel

/// `motion-bench frame`
struct Frames: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frame",
    abstract: "A frame of motiond: what it costs the processor, and how late it comes, against bare loops that publish."
  )

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  @Flag(name: .customLong("lateness"), help: "Measure only how late frames are.")
  var onlyLateness = false

  func run() throws {
    let printer = Printer(options)
    for lanes in onlyLateness ? [] : options.quick ? [100] : [1_000, 10_000, 100_000, 1_000_000] {
      for row in try cost(lanes) { try printer.show(row) }
    }
    for row in try lateness(busyClients: options.quick ? 1 : 8) { try printer.show(row) }
  }

  // MARK: What a frame costs

  private func cost(_ lanes: Int) throws -> [Row] {
    // 120 frames a second as long as a frame of the reference takes less: a million lanes are published four times.
    let rate = lanes > 100_000 ? 4.0 : 120
    let (silent, published) = try cost(lanes, rate: rate, journal: false)
    let (_, kept) = try cost(lanes, rate: rate, journal: true)
    let reference = try referenceCost(lanes, rate: rate)
    // The target: 0.2 ms and 12 ns a lane.
    let limit = 200 + 0.012 * Double(lanes)
    return [
      Row(
        benchmark: "frame", series: "moving, one subscriber", size: lanes, cost: published, reference: reference,
        unit: "µs", comparedWith: "a bare loop that publishes", limit: limit),
      Row(
        benchmark: "frame", series: "the same, and a checkpoint each second", size: lanes, cost: kept,
        reference: reference, unit: "µs", comparedWith: "a bare loop that publishes", limit: limit),
      Row(
        benchmark: "frame", series: "moving, nobody listens", size: lanes, cost: silent, reference: reference,
        unit: "µs", comparedWith: "a bare loop that publishes"),
      Row(
        benchmark: "frame", series: "a lane, one subscriber", size: lanes, cost: published * 1e3 / Double(lanes),
        reference: reference * 1e3 / Double(lanes), unit: "ns", comparedWith: "a bare loop that publishes"),
    ]
  }

  /// With a journal the frame is the same, and besides, whatever the rate, a checkpoint is written each second: what the
  /// frame itself costs is seen without one.
  private func cost(
    _ lanes: Int, rate: Double, journal: Bool
  ) throws -> (silent: Double, published: Double) {
    let server = try daemon.start(rate: rate, journal: journal)
    defer { server.process.terminate() }
    let client = try server.connect()
    try client.move(lanes)
    // Plans that came are told and written once, in the seconds after.
    if journal { try client.wait(for: "a checkpoint") { $0.journal?.rowsSinceCheckpoint == 0 } }
    let silent = try silentCost(server, client)
    let listener = Listener(server.valuesEndpoint, topic: "v/", of: .motiond)
    return (silent, try cost(of: server.processID, listener))
  }

  /// Frames that are measured: those of a second at 120 Hz, and at least five.
  private var frames: Int { options.quick ? 5 : 240 }
  /// How long is measured at the most, in seconds; then five frames have to be enough.
  private static let longest = 6.0

  /// The processor's time of a frame that nobody hears, in microseconds.
  private func silentCost(_ server: Daemon, _ client: MotionClient) throws -> Double {
    let first = try client.status()["frames"]
    let before = server.facts.processorTime
    // Asking costs it something, too: once a second is little beside its frames.
    for _ in 0..<Int(Self.longest) {
      usleep(options.quick ? 50_000 : 1_000_000)
      if try client.status()["frames"] - first >= UInt64(frames) { break }
    }
    let spent = server.facts.processorTime - before
    return spent * 1e6 / Double(try client.status()["frames"] - first)
  }

  /// The processor's time of a frame that one process hears, in microseconds.
  private func cost(of publisher: Int32, _ listener: Listener) throws -> Double {
    let facts = ProcessFacts(publisher)
    // Names and complete values come first.
    let warm = try listener.frames(3)
    let period = max(1e-4, (warm[3].received - warm[1].received) / 2)
    let count = max(5, min(frames, Int(Self.longest / period)))
    var before = 0.0
    let heard = try listener.frames(count) { before = facts.processorTime }
    let spent = facts.processorTime - before
    return spent * 1e6 / Double(heard[count].frame - heard[0].frame)
  }

  private func referenceCost(_ lanes: Int, rate: Double) throws -> Double {
    let scratch = try Scratch()
    let peer = try ChildProcess(
      peer: ["frames", scratch.endpoint("values"), "1", "\(lanes)", "\(Int(1e9 / rate))"])
    return try cost(of: peer.processID, Listener(scratch.endpoint("values"), topic: "v/", of: .reference))
  }

  // MARK: How late a frame is

  /// How late frames of a thousand lanes are published at 1 kHz, beside bare loops of the same rate; and how much later
  /// while clients commit one thing after the other.
  private func lateness(busyClients: Int) throws -> [Row] {
    let count = options.quick ? 200 : 10_000
    let lanes = 1_000
    let (published, own) = try lateness(of: lanes, busyClients: 0, count)
    let (busy, busyOwn) = try lateness(of: lanes, busyClients: busyClients, count)
    let bare = try bareTimer(count)
    let busyBare = try busyBareTimer(clients: busyClients, count)
    let scratch = try Scratch()
    let peer = try ChildProcess(peer: ["frames", scratch.endpoint("values"), "1", "\(lanes)", "1000000"])
    let loop = try Self.lateness(Listener(scratch.endpoint("values"), topic: "v/", of: .reference), count)
    peer.kill()
    let condition = "\(busyClients) busy clients"
    return published.rows(
      "frame", "late at 1 kHz, quiet", size: lanes, beside: Self.lateness(ofGrid: bare),
      comparedWith: "a bare timerfd loop", targets: ["p99": 2])
      + own.rows(beside: Latencies(bare), lanes)
      + loop.rows(
        "frame", "the bare loop that publishes", size: lanes, beside: Self.lateness(ofGrid: bare),
        comparedWith: "a bare timerfd loop")
      + busy.rows(
        "frame", "late at 1 kHz beside \(condition)", size: lanes, beside: Self.lateness(ofGrid: busyBare),
        comparedWith: "a bare timerfd loop beside as many of a bare echo", targets: ["p99": 2])
      + busy.rows(
        "frame", "late at 1 kHz, \(condition)", size: lanes, beside: published,
        comparedWith: "the same without clients")
      + busyOwn.rows(beside: own, lanes, condition)
  }

  /// How late frames are while so many clients commit, as a subscriber sees it and by the daemon's own count.
  private func lateness(
    of lanes: Int, busyClients: Int, _ count: Int
  ) throws -> (published: Latencies, own: Status.Lateness) {
    let server = try daemon.start(rate: 1000)
    let client = try server.connect()
    try client.move(lanes)
    let flood = try Flood(clients: busyClients, of: server)
    let published = try Self.lateness(Listener(server.valuesEndpoint, topic: "v/", of: .motiond), count)
    let own = try client.status().lateness
    flood.end()
    server.process.terminate()
    return (published, own)
  }

  /// A bare loop that wakes a thousand times a second: how late, in nanoseconds.
  private func bareTimer(_ count: Int) throws -> [Int64] {
    try measured(count) {
      reference_timer(Int64(count), 1_000_000, $0)
      return Int64(count)
    }
  }

  /// The same beside as many clients of a bare ROUTER, each with one question after the other: what they take from
  /// whoever shares the processors with them.
  private func busyBareTimer(clients: Int, _ count: Int) throws -> [Int64] {
    let scratch = try Scratch()
    let endpoint = scratch.endpoint("echo")
    let echo = try ChildProcess(peer: ["echo", endpoint])
    let bytes = Commits.bytes(of: try Flood.transaction(of: 0, number: 0))
    let others = try (0..<clients).map { _ in try ChildProcess(peer: ["ask", endpoint, "\(bytes)"]) }
    _ = try measured(100) { reference_ping(endpoint, bytes, 100, $0) }
    let lateness = try bareTimer(count)
    for process in others + [echo] { process.kill() }
    return lateness
  }

  /// How late each was that was due on a grid, and woke so late: later than the most punctual of the hundred from it on.
  ///
  /// Where frames are left out the grid moves, for good: that is late once, for the first after them.
  static func lateness(ofGrid nanoseconds: [Int64]) -> Latencies {
    var latencies = Latencies()
    var grid = Int64.max
    for (index, offset) in nanoseconds.enumerated() {
      let first = max(0, min(index, nanoseconds.count - 100))
      let least = nanoseconds[first..<min(first + 100, nanoseconds.count)].min() ?? offset
      latencies.add(offset - min(least, grid, offset))
      grid = least
    }
    return latencies
  }

  /// How much later than the most punctual of its kind each frame was sent: what a frame takes always is not counted.
  static func lateness(_ listener: Listener, _ count: Int, rate: Double = 1000) throws -> Latencies {
    let heard = try listener.frames(count + 50).dropFirst(50)
    guard let first = heard.first else { throw BenchFailure("nothing is published") }
    return lateness(
      ofGrid: heard.map { Int64((($0.sent - first.sent) - Double($0.frame - first.frame) / rate) * 1e9) })
  }
}

extension Status.Lateness {
  /// What the daemon itself says: how much later than its timer it began each frame, those included with which it began.
  fileprivate func rows(beside bare: Latencies, _ lanes: Int) -> [Row] {
    [("p50", p50, 50.0), ("p99", p99, 99), ("p99.9", p999, 99.9)].map { name, seconds, percentile in
      Row(
        benchmark: "frame", series: "by its own count, quiet, \(name)", size: lanes, cost: seconds * 1e6,
        reference: bare.microseconds(percentile), unit: "µs", comparedWith: "a bare timerfd loop")
    }
  }

  fileprivate func rows(beside quiet: Status.Lateness, _ lanes: Int, _ condition: String) -> [Row] {
    [("p50", p50, quiet.p50), ("p99", p99, quiet.p99), ("p99.9", p999, quiet.p999)].map { name, seconds, reference in
      Row(
        benchmark: "frame", series: "by its own count, \(condition), \(name)", size: lanes, cost: seconds * 1e6,
        reference: reference * 1e6, unit: "µs", comparedWith: "the same without clients")
    }
  }
}

extension MotionClient {
  /// Makes so many lanes move for ever, and waits until they do: targets with one lane each, all on springs of the same
  /// feel without friction.
  func move(_ lanes: Int) throws {
    let spring = Intention.anchoredSpring("x", [1000], .physical(tension: 342, friction: 0))
    // While time stands, the first of them cost no frames while the last are committed. A frame takes so many at most.
    try clock(.pause)
    for first in stride(from: 0, to: lanes, by: 250_000) {
      try commit(min(250_000, lanes - first)) { .add(spring, named: nil, to: try TargetName("t\(first + $0)")) }
      try clock(.step(1))
    }
    try clock(.resume)
    try wait(for: "\(lanes) lanes") { $0.counts.properties >= lanes }
  }
}
