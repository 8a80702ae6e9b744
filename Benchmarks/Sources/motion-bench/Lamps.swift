import ArgumentParser
import CReference
import Glibc
import MotionClient
import MotionModel

/// `motion-bench lamps`
struct Lamps: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Universes of lamps that leave together, against a bare loop that sends as many packets.")

  private static let rate = 44.0
  private static let channels = 512

  @OptionGroup var options: BenchOptions
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let printer = Printer(options)
    for (universes, lamps) in options.quick ? [(2, 16)] : [(32, 16), (32, Self.channels), (128, 16)] {
      for row in try measure(universes, lamps) { try printer.show(row) }
    }
  }

  /// - Parameter lamps: how many channels of each universe move.
  private func measure(_ universes: Int, _ lamps: Int) throws -> [Row] {
    let reference = try bare(universes)
    let server = try daemon.start()
    let client = try server.connect()
    try client.commit(universes * lamps) { index in
      // Each at another speed, without friction: all channels change, at other times.
      let spring = Intention.anchoredSpring("level", 0.5, .physical(tension: 5 + Double(index % 97), friction: 0))
      return .add(spring, named: nil, to: try TargetName("lamp\(index + 1)"))
    }
    let lines = (1...universes).map { universe in
      let first = (universe - 1) * lamps + 1
      return "universe \(universe) sacn 127.0.0.1\nlamp{\(first)..\(first + lamps - 1)} dimmer \(universe).1"
    }
    var transaction = Transaction()
    transaction.add(try SendDMXIntention(patch: lines.joined(separator: "\n")), named: "rig", to: "rig")
    try client.commit(transaction)
    try client.wait(for: "the worker") { status in
      status.plugins.flatMap(\.workers).contains { $0.state == .ready }
    }
    let before = try client.status()
    guard let worker = before.plugins.first(where: { $0.name == "dmx" })?.workers.first?.processID else {
      throw BenchFailure("no worker sends")
    }
    let measured = try departures(universes, of: worker, beside: server.facts)
    let skipped = try client.status()["skipped-frames"] - before["skipped-frames"]
    server.process.terminate()
    let what = "\(universes) universes, \(lamps) channels of each"
    let against = "a bare loop"
    let goal = universes == 32
    return [
      Row(
        benchmark: "lamps", series: "the worker, \(what)", size: universes, cost: measured.share * 100,
        reference: reference.share * 100, unit: "% of a core", comparedWith: against),
      Row(
        benchmark: "lamps", series: "motiond, \(what)", size: universes, cost: measured.othersShare * 100, reference: 0,
        unit: "% of a core", comparedWith: "nothing"),
      Row(
        benchmark: "lamps", series: "skipped frames, \(what)", size: universes, cost: Double(skipped), reference: 0,
        unit: "frames", comparedWith: "nothing", limit: goal ? 0 : nil),
    ]
      + measured.jitter.rows(
        "lamps", "jitter, \(what)", size: universes, beside: reference.jitter, comparedWith: against)
      + measured.spread.rows(
        "lamps", "first to last packet, \(what)", size: universes, beside: reference.spread, comparedWith: against,
        limits: goal ? ["p99": 1000] : [:])
  }

  // MARK: Measuring

  private struct Departures {
    var share = 0.0
    var othersShare = 0.0
    /// How far apart departures are, beyond or below a period.
    var jitter = Latencies()
    /// From the first packet of a departure to the last.
    var spread = Latencies()
  }

  private func bare(_ universes: Int) throws -> Departures {
    let peer = try ChildProcess(peer: ["lamps", "\(universes)", "\(Int64(1e9 / Self.rate))"])
    defer { peer.kill() }
    return try departures(universes, of: peer.processID, beside: nil)
  }

  /// Receives what a process sends, for a while.
  private func departures(
    _ universes: Int, of process: Int32, beside other: ProcessFacts?
  ) throws -> Departures {
    let listener = reference_lamps_open()
    guard listener >= 0 else { throw BenchFailure("port 5568 is another's") }
    defer { close(listener) }
    _ = try frames(listener, options.quick ? 5 : 44)
    let facts = ProcessFacts(process)
    let (before, others, start) = (facts.processorTime, other?.processorTime ?? 0, reference_boot_clock())
    let heard = try frames(listener, options.quick ? 20 : 1100)
    let seconds = Double(reference_boot_clock() - start) * 1e-9
    var result = Departures()
    result.share = (facts.processorTime - before) / seconds
    result.othersShare = ((other?.processorTime ?? 0) - others) / seconds
    guard heard.allSatisfy({ $0.packets == universes }) else {
      let counts = Set(heard.map(\.packets)).sorted()
      throw BenchFailure("not all universes came in each frame: \(counts)")
    }
    for frame in heard { result.spread.add(frame.last - frame.first) }
    for (frame, next) in zip(heard, heard.dropFirst()) {
      result.jitter.add(abs(next.first - frame.first - Int64(1e9 / Self.rate)))
    }
    return result
  }

  private func frames(_ listener: Int32, _ count: Int) throws -> [reference_frame] {
    let frames = [reference_frame](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = Int(reference_lamps_hear(listener, Int64(count), buffer.baseAddress))
    }
    guard frames.count == count else { throw BenchFailure("nothing more is sent") }
    return frames
  }
}
