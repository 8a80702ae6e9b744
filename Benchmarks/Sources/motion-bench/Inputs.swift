import ArgumentParser
import CReference
import Foundation
import MotionClient
import MotionModel
import MotionWire

/// `motion-bench input`
struct Inputs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "input",
    abstract: "What input values add to motiond, against as many messages to a bare ROUTER.")

  private static let sources = 50
  private static let rate = 100.0

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  private var seconds: Double { options.quick ? 0.3 : 10 }

  func run() throws {
    let printer = Printer(options)
    let swinging = try cost(connections: 0)
    for connections in [Self.sources, 1] {
      let cost = try cost(connections: connections)
      let who = connections == 1 ? "one connection" : "\(connections) connections"
      try printer.show(
        Row(
          benchmark: "input", series: "what they add, \(who)", size: Self.sources,
          cost: (cost.share - swinging.share) * 100, reference: try bareShare(connections) * 100,
          unit: "% of a core", comparedWith: "a bare ROUTER that answers as many messages",
          limit: connections == 1 ? 1 : nil))
      try printer.show(
        Row(
          benchmark: "input", series: "all of motiond, \(who)", size: Self.sources, cost: cost.share * 100,
          reference: swinging.share * 100, unit: "% of a core", comparedWith: "springs that swing"))
      try printer.show(
        Row(
          benchmark: "input", series: "rows of the journal, \(who)", size: Self.sources, cost: Double(cost.rows),
          reference: 0, unit: "rows", comparedWith: "springs that swing", limit: 0))
    }
  }

  /// The share of a core of a process that only sends back the same messages.
  private func bareShare(_ connections: Int) throws -> Double {
    let scratch = try Scratch()
    let endpoint = scratch.endpoint("echo")
    let peer = try ChildProcess(peer: ["echo", endpoint])
    defer { peer.kill() }
    let facts = ProcessFacts(peer.processID)
    let values = try (0..<Self.sources / connections).map { source in
      InputValue(try InputName("fader\(source)"), [0.5])
    }
    let bytes = Envelope(
      epoch: 1, incarnation: 1, sequence: 1, sent: 1, .inputValues(InputValues(from: "desk", values))
    )
    .encoded().count
    let (rounds, period) = (Int64(seconds * Self.rate), Int64(1e9 / Self.rate))
    _ = reference_pace(endpoint, bytes, Int64(connections), 10, period)
    let (before, start) = (facts.processorTime, Date())
    guard reference_pace(endpoint, bytes, Int64(connections), rounds, period) == rounds * Int64(connections) else {
      throw BenchFailure("the bare ROUTER did not answer each message")
    }
    return (facts.processorTime - before) / Date().timeIntervalSince(start)
  }

  /// The share of a core that motiond takes, and the rows that its journal gets, while the sources send.
  ///
  /// - Parameter connections: how many connections share the sources; without any, springs move the properties.
  private func cost(connections: Int) throws -> (share: Double, rows: UInt64) {
    let server = try daemon.start(rate: 60)
    let client = try server.connect()
    var transaction = Transaction()
    for source in 0..<Self.sources {
      let target = try TargetName("lamp\(source)")
      if connections > 0 {
        transaction.add(.follow("x", try InputName("fader\(source)"), .smoothing(.milliseconds(50))), to: target)
      } else {
        transaction.add(.anchoredSpring("x", 1, .physical(tension: 40, friction: 0)), to: target)
      }
    }
    try client.commit(transaction)
    let senders = try (0..<connections).map { _ in try server.connect() }
    try send(senders, for: options.quick ? 0.1 : 1)
    let (rows, facts, before) = (try client.status().journal?.lastRow ?? 0, server.facts, server.facts.processorTime)
    let start = Date()
    try send(senders, for: seconds)
    let share = (facts.processorTime - before) / Date().timeIntervalSince(start)
    return (share, (try client.status().journal?.lastRow ?? 0) - rows)
  }

  /// Sends a value of each source each 10 ms.
  private func send(_ senders: [MotionClient], for seconds: Double) throws {
    let start = Date()
    guard !senders.isEmpty else { return Thread.sleep(forTimeInterval: seconds) }
    for round in 0..<Int(seconds * Self.rate) {
      for (index, sender) in senders.enumerated() {
        let values = try stride(from: index, to: Self.sources, by: senders.count).map { source in
          InputValue(try InputName("fader\(source)"), Lanes(Double((round + source) % 100) / 100))
        }
        try sender.stream(InputValues(from: "desk", values))
      }
      let left = start.addingTimeInterval(Double(round + 1) / Self.rate).timeIntervalSinceNow
      if left > 0 { Thread.sleep(forTimeInterval: left) }
    }
  }
}
