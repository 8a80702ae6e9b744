import ArgumentParser
import CReference
import MotionClient
import MotionModel
import MotionWire

/// `motion-bench wire`
struct Wires: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wire",
    abstract: """
      Writing and reading messages against copying them, and publishing to many against a bare XPUB socket that does.
      """)

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let printer = Printer(options)
    for lanes in options.quick ? [100] : [100, 1_000, 10_000, 100_000, 1_000_000] {
      for row in try code(Self.values(lanes), "values, a lane", lanes) { try printer.show(row) }
    }
    for operations in options.quick ? [10] : [1, 10, 100, 1_000, 10_000, 100_000] {
      for row in try code(Self.commit(operations), "commit, an operation", operations) { try printer.show(row) }
    }
    for subscribers in options.quick ? [1] : [1, 4, 16, 64] {
      for row in try fanOut(subscribers) { try printer.show(row) }
    }
  }

  // MARK: Codec

  private static func values(_ lanes: Int) -> Envelope.Body {
    .values(
      Values(
        frame: 1000, time: 10, dt: 0.01, handles: (0..<lanes).map { PropertyHandle(UInt32($0)) },
        counts: [UInt8](repeating: 1, count: lanes), lanes: (0..<lanes).map { Double($0) * 1.1 }))
  }

  private static func commit(_ operations: Int) throws -> Envelope.Body {
    let log = try (0..<operations).map { index in
      Transaction.Operation.add(
        .springTo("position", [100, Double(index)]), named: nil, to: try TargetName("t\(index)"))
    }
    return .commit(Commit(Transaction(log: log), id: .random()))
  }

  private func code(_ body: Envelope.Body, _ series: String, _ size: Int) throws -> [Row] {
    let envelope = Envelope(epoch: 1, incarnation: 1, sequence: 1, sent: 1, body)
    let bytes = envelope.encoded()
    guard try Envelope(decoding: bytes) == envelope else { throw BenchFailure("what is read is not what was written") }
    let copy = { bytes.withUnsafeBytes { reference_copy($0.baseAddress, $0.count) } }
    let watch = Stopwatch(quick: options.quick)
    let encoding = watch.compare({ keep(envelope.encoded().count) }, with: copy)
    let decoding = watch.compare({ keep((try? Envelope(decoding: bytes))?.sequence) }, with: copy)
    return [("encode", encoding), ("decode", decoding)].map { name, times in
      Row(
        benchmark: "wire", series: "\(name) \(series)", size: size, cost: times.subject * 1e9 / Double(size),
        reference: times.reference * 1e9 / Double(size), unit: "ns", comparedWith: "a copy of the bytes")
    }
  }

  // MARK: Fan-out

  /// A hundred lanes at 1 kHz to so many processes: what it costs the publisher, and when the first of them hears it.
  private func fanOut(_ subscribers: Int) throws -> [Row] {
    let (lanes, frames) = (100, options.quick ? 100 : 3_000)
    let server = try daemon.start(rate: 1000)
    try server.connect().move(lanes)
    let ours = try measure(server.processID, server.valuesEndpoint, .motiond, subscribers, frames)
    server.process.terminate()
    let scratch = try Scratch()
    let endpoint = scratch.endpoint("values")
    let peer = try ChildProcess(peer: ["frames", endpoint, "\(subscribers)", "\(lanes)", "1000000"])
    let bare = try measure(peer.processID, endpoint, .reference, subscribers, frames)
    return [
      Row(
        benchmark: "wire", series: "publisher, a frame", size: subscribers, cost: ours.cost, reference: bare.cost,
        unit: "µs", comparedWith: "a bare XPUB")
    ] + ours.delivery.rows("wire", "delivery", size: subscribers, beside: bare.delivery, comparedWith: "a bare XPUB")
  }

  private func measure(
    _ publisher: Int32, _ endpoint: String, _ kind: Listener.Publisher, _ subscribers: Int, _ frames: Int
  ) throws -> (cost: Double, delivery: Latencies) {
    let others = try (1..<subscribers).map { _ in try ChildProcess(peer: ["listen", endpoint, "v/"]) }
    defer { withExtendedLifetime(others) {} }
    let listener = Listener(endpoint, topic: "v/", of: kind)
    // Until all are there and have been told everything.
    _ = try listener.frames(options.quick ? 20 : 1_500)
    var before = 0.0
    let facts = ProcessFacts(publisher)
    let heard = try listener.frames(frames) { before = facts.processorTime }
    let spent = facts.processorTime - before
    var delivery = Latencies()
    for frame in heard { delivery.add(seconds: frame.received - frame.sent) }
    return (spent * 1e6 / Double(heard[frames].frame - heard[0].frame), delivery)
  }
}

/// Keeps the compiler from leaving out what nobody reads.
@inline(never) private func keep<Value>(_ value: Value) {}
