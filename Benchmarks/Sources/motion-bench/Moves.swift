import ArgumentParser
import Foundation
import MotionPhysics

/// `motion-bench moves`
struct Moves: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Solving a move under limits against Ruckig, and its step against a bare cubic.",
    discussion: """
      Ruckig measures itself, for the same random states. `make test` installs it; without it there is no row of it.
      """)

  @OptionGroup var options: BenchOptions

  /// A move to be solved.
  private struct Case {
    let from: MoveState
    let position: Double
    let velocity: Double
    let limits: MoveLimits

    init(_ r: ArraySlice<Double>) {
      let i = r.startIndex
      from = MoveState(position: r[i], velocity: r[i + 1], acceleration: r[i + 2])
      (position, velocity) = (r[i + 3], r[i + 4])
      limits = MoveLimits(maxVelocity: r[i + 5], maxAcceleration: r[i + 6], maxJerk: r[i + 7])
    }

    var move: TimeOptimalMove? {
      try? TimeOptimalMove.solve(from: from, to: position, velocity: velocity, limits: limits)
    }
  }

  func run() throws {
    let printer = Printer(options)
    let count = options.quick ? 100 : 10_000
    for kind in ["inside", "trapezoid"] { try measureSolving(kind, count, printer) }
    for size in options.quick ? [100] : [100, 10_000] { try measureSteps(size, printer) }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func ruckig(_ script: String, _ arguments: [String]) throws -> String? {
    let python = root.appending(path: ".build/ruckig/bin/python3")
    guard FileManager.default.isExecutableFile(atPath: python.path()) else { return nil }
    let (process, output) = (Process(), Pipe())
    process.executableURL = python
    process.arguments = [root.appending(path: "Tests/Fixtures/Ruckig/\(script)").path()] + arguments
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? text : nil
  }

  private func measureSolving(_ kind: String, _ count: Int, _ printer: Printer) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "moves-\(UUID().uuidString).bin")
    defer { try? FileManager.default.removeItem(at: file) }
    guard try Self.ruckig("states.py", ["1", String(count), kind, file.path()]) != nil,
      let text = try Self.ruckig("timing.py", [file.path()]),
      let reference = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { return }
    let values = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
    let cases = stride(from: 0, to: values.count, by: 9).map { Case(values[$0..<$0 + 9]) }
    var sum = 0.0
    let solve = { for item in cases { sum += item.move?.duration ?? 0 } }
    let time = Stopwatch(quick: options.quick).compare(solve, with: solve).subject / Double(count)
    try printer.show(
      Row(
        benchmark: "moves", series: kind == "inside" ? "solve" : "solve, without a limit of jerk", size: count,
        cost: time * 1e9, reference: reference * 1e3, unit: "ns", comparedWith: "Ruckig, by its own clock",
        target: 1))
  }

  /// Frames of moves of which each is at another time, against cubics without a search.
  private func measureSteps(_ size: Int, _ printer: Printer) throws {
    let limits = MoveLimits(maxVelocity: 120, maxAcceleration: 400, maxJerk: 2000)
    let moves = (0..<size).compactMap { index in
      try? TimeOptimalMove.solve(from: MoveState(position: 0), to: Double(10 + index % 97), limits: limits)
    }
    var cursors = moves.map(MoveCursor.init)
    let segments = moves.map { $0.segments[0] }
    let ticks = moves.map { $0.duration / 120 }
    let (first, second) = (Sink(), Sink())
    var (frame, other) = (0, 0)
    let step = {
      frame = (frame + 1) % 120
      var sum = 0.0
      for index in cursors.indices { sum += cursors[index].state(at: ticks[index] * Double(frame)).sum }
      first.add(sum)
    }
    let bare = {
      other = (other + 1) % 120
      var sum = 0.0
      for index in segments.indices { sum += segments[index].state(at: ticks[index] * Double(other)).sum }
      second.add(sum)
    }
    let times = Stopwatch(quick: options.quick).compare(step, with: bare)
    try printer.show(
      Row(
        benchmark: "moves", series: "step", size: size, cost: times.subject * 1e9 / Double(size),
        reference: times.reference * 1e9 / Double(size), unit: "ns a lane", comparedWith: "a bare cubic", target: 2))
  }

  /// Keeps results, so that they are computed.
  private final class Sink {
    private var sum = 0.0

    @inline(never) func add(_ value: Double) { sum += value }
  }
}

extension MoveState {
  /// A number that depends on all of the state.
  fileprivate var sum: Double { position + velocity + acceleration }
}
