import ArgumentParser
import MotionCore
import MotionModel

/// `motion-bench snapshots`
struct Snapshots: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshots",
    abstract: "How long a snapshot of springs in motion takes, during which no frame is run, and a restoration from it."
  )

  @OptionGroup var options: BenchOptions

  func run() throws {
    let printer = Printer(options)
    for size in options.quick ? [100] : [1_000, 10_000, 100_000] {
      let runtime = try scene(size)
      guard let snapshot = runtime.snapshot() else { throw ValidationError("no snapshot can be taken") }
      let taking = Stopwatch(quick: options.quick)
        .compare({ _ = runtime.snapshot() }, with: { runtime.advance() })
      try printer.show(
        Row(
          benchmark: "snapshots", series: "taken", size: size, cost: taking.subject * 1e6,
          reference: taking.reference * 1e6, unit: "µs", comparedWith: "a frame of these springs"))
      let restoring = Stopwatch(quick: options.quick)
        .compare({ try? Runtime().restore(snapshot) }, with: { runtime.advance() })
      try printer.show(
        Row(
          benchmark: "snapshots", series: "restored", size: size, cost: restoring.subject * 1e6,
          reference: restoring.reference * 1e6, unit: "µs", comparedWith: "a frame of these springs"))
    }
  }

  /// So many properties that swing without end.
  private func scene(_ size: Int) throws -> Runtime {
    let runtime = Runtime()
    var transaction = Transaction()
    for index in 0..<size {
      transaction.add(
        .anchoredSpring("x", [1], .physical(tension: 40, friction: 0)), to: try TargetName("t\(index)"))
      guard transaction.log.count > Limits.operationsPerTransaction - 2 else { continue }
      try runtime.commit(transaction)
      transaction = Transaction()
    }
    try runtime.commit(transaction)
    for _ in 0..<120 { runtime.advance() }
    return runtime
  }
}
