import ArgumentParser
import CReference
import MotionClient
import MotionModel

/// `motion-bench ticks`
struct Ticks: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "From a tick to the worker and back to the value in the frame, against a bare ping over the same sockets.",
    discussion: """
      While time stands, a step runs each frame as soon as the worker has answered its tick: the time between the \
      frames of a long step is what was asked for.
      """)

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let printer = Printer(options)
    for targets in options.quick ? [1] : [1, 10, 100, 1_000] {
      for row in try measure(targets) { try printer.show(row) }
    }
    for affinity in options.quick ? ["0"] : ["0", "0,0", "0,1"] { try printer.show(try pinned(affinity)) }
  }

  /// The same with threads that keep to processors, beside threads that do not.
  private func pinned(_ affinity: String) throws -> Row {
    let frames = options.quick ? 100 : 10_000
    let free = try mean(affinity: nil, frames)
    return Row(
      benchmark: "ticks", series: "with --affinity \(affinity), mean", size: 1,
      cost: try mean(affinity: affinity, frames),
      reference: free, unit: "µs", comparedWith: "threads that go anywhere")
  }

  private func mean(affinity: String?, _ frames: Int) throws -> Double {
    let server = try daemon.start(rate: 1000, affinity: affinity)
    let client = try moving(1, server)
    defer { server.process.terminate() }
    return try mean(client, frames)
  }

  /// A client of a daemon in which a worker moves so many targets, while time stands.
  private func moving(_ targets: Int, _ server: Daemon) throws -> MotionClient {
    let client = try server.connect()
    try client.commit(targets) { index in
      let tween = TweenIntention("x", values: [[1]], from: [0], duration: .seconds(100_000))
      return .add(tween.intention, named: nil, to: try TargetName("t\(index)"))
    }
    try client.wait(for: "the worker") { status in
      status.plugins.flatMap(\.workers).contains { $0.state == .ready } && status.counts.properties == targets
    }
    try client.clock(.pause)
    _ = try client.clock(.step(50), timeout: Daemon.timeout)
    return client
  }

  private func measure(_ targets: Int) throws -> [Row] {
    let frames = options.quick ? 100 : targets > 100 ? 1_000 : 10_000
    let server = try daemon.start(rate: 1000)
    let client = try moving(targets, server)
    let silent = try mean(client, frames)
    let listener = Listener(server.valuesEndpoint, topic: "v/", of: .motiond)
    while try listener.next(within: 0.2) != nil {}
    let heard = try distribution(client, listener, frames)
    let timeouts = try client.status()["step-timeouts"]
    guard timeouts == 0 else { throw BenchFailure("the worker did not answer \(timeouts) ticks within 500 ms") }
    server.process.terminate()

    // An Update says a handle, a value and a velocity for each.
    let bare = try ping(answer: 60 + 20 * targets, frames)
    let publishing = try ping(answer: 60 + 20 * targets, frames, publishes: true)
    let total = Row(
      benchmark: "ticks", series: "nobody listens, mean", size: targets, cost: silent,
      reference: bare.mean, unit: "µs", comparedWith: "a bare ping of as many bytes", target: targets == 1 ? 1.25 : nil)
    return [total]
      + heard.rows(
        "ticks", "one subscriber", size: targets, beside: publishing.latencies,
        comparedWith: "a bare ping that publishes to one, too", targets: targets == 1 ? ["p50": 1.25] : [:])
      + heard.rows(
        "ticks", "one subscriber, beside a ping without", size: targets, beside: bare.latencies,
        comparedWith: "a bare ping of as many bytes", targets: targets == 1 ? ["p50": 1.25] : [:])
  }

  private func mean(_ client: MotionClient, _ frames: Int) throws -> Double {
    let start = reference_boot_clock()
    try client.clock(.step(UInt64(frames)), timeout: Daemon.timeout)
    return Double(reference_boot_clock() - start) * 1e-3 / Double(frames)
  }

  /// The times between frames, as they were published. The subscriber's queue holds them until the step is done.
  private func distribution(_ client: MotionClient, _ listener: Listener, _ frames: Int) throws -> Latencies {
    try client.clock(.step(UInt64(frames)), timeout: Daemon.timeout)
    var (latencies, former) = (Latencies(), Listener.Heard?.none)
    while let heard = try listener.next(within: 0.2) {
      if let former, heard.frame == former.frame + 1 { latencies.add(seconds: heard.sent - former.sent) }
      former = heard
    }
    return latencies
  }

  /// - Parameter publishes: whether each tick is followed by a value for a subscriber, as in a frame.
  private func ping(
    answer bytes: Int, _ count: Int, publishes: Bool = false
  ) throws -> (mean: Double, latencies: Latencies) {
    let scratch = try Scratch()
    let values = publishes ? scratch.endpoint("values") : nil
    let listener = values.map { Listener($0, topic: "v/", of: .reference) }
    defer { withExtendedLifetime(listener) {} }
    let (ticks, events) = (scratch.endpoint("ticks"), scratch.endpoint("events"))
    let peer = try ChildProcess(peer: ["answer", ticks, events, "\(bytes)"])
    defer { peer.kill() }
    let times = try measured(count) { reference_ask(ticks, events, values, 100, Int64(count), $0) }
    return (Double(times.reduce(0, +)) * 1e-3 / Double(times.count), Latencies(times))
  }
}
