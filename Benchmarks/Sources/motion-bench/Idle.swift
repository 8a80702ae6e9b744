import ArgumentParser
import Foundation
import MotionClient
import MotionModel

/// `motion-bench idle`
struct Idle: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "How often an idle motiond wakes up, against a process that waits for what never comes.")

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let printer = Printer(options)
    let reference = try bareWakeUps()
    for workers in options.quick ? [1] : [0, 1, 4] {
      for row in try measure(workers: workers, clients: 0, reference) { try printer.show(row) }
    }
    for clients in options.quick ? [1] : [1, 4] {
      for row in try measure(workers: 0, clients: clients, reference) { try printer.show(row) }
    }
    if !options.quick { for row in try measure(workers: 4, clients: 4, reference) { try printer.show(row) } }
    for row in try measureHeldFinger(reference) { try printer.show(row) }
  }

  private var seconds: Double { options.quick ? 0.3 : 5 }

  private func measure(workers: Int, clients: Int, _ reference: Double) throws -> [Row] {
    let folder = try Scratch()
    try writePlugin(into: folder, instances: max(1, workers))
    let server = try daemon.start(plugins: folder.path)
    // They stay connected until the end, and say each second that they are there.
    let connections = try (0..<clients).map { _ in try server.connect() }
    for (index, client) in connections.enumerated() {
      var transaction = Transaction()
      transaction.add(.anchoredSpring("x", [0]), to: try TargetName("c\(index)"))
      try client.commit(transaction, whileConnected: true)
    }
    let client = try server.connect()
    try awaken(workers, client)
    // Executors linger for half a second after their last movement, topics say their last word for one.
    try client.wait(for: "idleness") { !$0.isActive && $0.counts.executors == clients }
    usleep(options.quick ? 100_000 : 1_500_000)
    let allowed = (workers + clients > 0 ? 2.0 : 0) + 2.0 * Double(workers) + 2.0 * Double(clients)
    let who = "\(Self.count(workers, "worker")), \(Self.count(clients, "client"))"
    defer { withExtendedLifetime(connections) {} }
    return try rows(of: server, client, who, size: workers + clients, limit: allowed, reference)
  }

  /// A finger that rests on a target: motiond is active and takes no frames.
  private func measureHeldFinger(_ reference: Double) throws -> [Row] {
    let server = try daemon.start()
    let client = try server.connect()
    var transaction = Transaction()
    transaction.add(.anchoredSpring("position", [0, 0]), to: "ball")
    transaction.add(DraggableIntention(), to: "ball")
    try client.commit(transaction)
    try client.wait(for: "the worker") { status in
      status.plugins.flatMap(\.workers).contains { $0.state == .ready }
    }
    let hand = try server.connect()
    for step in 0...30 {
      let event = PointerEvent(id: 1, step == 0 ? .down : .move, at: [Double(step), 0], time: 0)
      try hand.send(PointerInput("ball", from: "finger", [event]))
    }
    try client.wait(for: "the finger") { $0.counts.tokens == 1 }
    // The velocity of a finger is 0 after 100 ms, topics say their last word for one second.
    usleep(1_500_000)
    // Heartbeats five times a second both ways, each to be sent and heard by libzmq's thread and the coordinator's, and two
    // clients, of which one says each second that its finger is there.
    defer { withExtendedLifetime(hand) {} }
    let before = try client.status()
    var rows = try rows(of: server, client, "a held finger", size: 1, limit: 5 * 4 + 2 * 2, reference)
    let after = try client.status()
    guard after.isActive, after.counts.tokens == 1 else { throw BenchFailure("the finger has let go") }
    rows.append(
      Row(
        benchmark: "idle", series: "ticks, a held finger", size: 1,
        cost: Double(after["ticks"] - before["ticks"]) / seconds, reference: reference, unit: "/s",
        comparedWith: "a process that waits", limit: 0))
    return rows
  }

  private func rows(
    of server: Daemon, _ client: MotionClient, _ who: String, size: Int, limit: Double, _ reference: Double
  ) throws -> [Row] {
    let before = try client.status()
    let wakeUps = count(of: server.processID)
    let after = try client.status()
    return [
      Row(
        benchmark: "idle", series: "wake-ups a second, \(who)", size: size, cost: wakeUps.all, reference: reference,
        unit: "/s", comparedWith: "a process that waits", limit: limit),
      Row(
        benchmark: "idle", series: "of the coordinator's thread, \(who)", size: size, cost: wakeUps.one,
        reference: reference, unit: "/s", comparedWith: "a process that waits"),
      Row(
        benchmark: "idle", series: "of the frame timer, \(who)", size: size,
        cost: Double(after["frame-wake-ups"] - before["frame-wake-ups"]) / seconds, reference: reference, unit: "/s",
        comparedWith: "a process that waits", limit: 0),
    ]
  }

  /// How often the threads of a process wake up each second, and one of them alone. Threads that end meanwhile, which
  /// is what those of a pool do, take their counts with them and are left out.
  private func count(of process: Int32, thread: String = "coordinator") -> (all: Double, one: Double) {
    let facts = ProcessFacts(process)
    // What was asked just now is answered.
    usleep(50_000)
    let before = facts.sleeps
    usleep(UInt32(seconds * 1e6))
    var (all, one) = (0, 0)
    for (id, sleeps) in facts.sleeps {
      let woken = sleeps - (before[id] ?? 0)
      all += woken
      if facts.name(ofThread: id) == thread { one += woken }
    }
    return (Double(all) / seconds, Double(one) / seconds)
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private func bareWakeUps() throws -> Double {
    let scratch = try Scratch()
    let peer = try ChildProcess(peer: ["rest", scratch.endpoint("rest")])
    return count(of: try peer.settledFacts(scratch["rest"]).processID).all
  }

  /// Lets so many workers move something once, after which they wait for more.
  private func awaken(_ workers: Int, _ client: MotionClient) throws {
    guard workers > 0 else { return }
    var transaction = Transaction()
    for index in 0..<64 {
      transaction.add(
        TweenIntention("opacity", values: [[0.5]], duration: .milliseconds(50)), to: try TargetName("w\(index)"))
    }
    try client.commit(transaction)
    try client.wait(for: "\(workers) workers") { status in
      status.plugins.flatMap(\.workers).count { $0.state == .ready } >= workers
    }
  }

  /// The plugin `tween`, with so many instances.
  private func writePlugin(into folder: Scratch, instances: Int) throws {
    let source = URL(fileURLWithPath: daemon.plugins).appendingPathComponent("tween")
    let copy = URL(fileURLWithPath: folder["tween"])
    try FileManager.default.copyItem(at: source, to: copy)
    let manifest = copy.appendingPathComponent("plugin.json")
    var text = try String(contentsOf: manifest, encoding: .utf8)
    text = text.replacingOccurrences(of: "\"protocol\": 1,", with: "\"protocol\": 1, \"instances\": \(instances),")
    try text.write(to: manifest, atomically: true, encoding: .utf8)
  }
}

extension ChildProcess {
  /// What the kernel says of it once it has made its socket and waits.
  func settledFacts(_ socket: String) throws -> ProcessFacts {
    let limit = Date().addingTimeInterval(5)
    while access(socket, F_OK) != 0 {
      guard Date() < limit else { throw BenchFailure("the reference does not begin") }
      usleep(5_000)
    }
    usleep(200_000)
    return ProcessFacts(processID)
  }
}
