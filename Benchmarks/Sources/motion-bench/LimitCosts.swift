import ArgumentParser
import CReference
import MotionCore
import MotionModel

/// `motion-bench limits`
struct LimitCosts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits",
    abstract: "What limits add to a frame of springs that swing, and what they cost properties without limits.")

  /// The share of the properties that the limits hold back: one in so many.
  private static let heldBack = 10
  /// How many pairs of runtimes are compared where the difference is small.
  private static let trials = 5

  @OptionGroup var options: BenchOptions

  func run() throws {
    let printer = Printer(options)
    for size in options.quick ? [100] : [10_000, 100_000] {
      let bare = try bareStep(size)
      for (series, tight) in [
        ("a tenth held back", PropertyLimits(velocity: [3], acceleration: [20])),
        ("a tenth held back, limits of jerk", PropertyLimits(velocity: [3], acceleration: [20], jerk: [200])),
      ] {
        let limited = try scene(size) { index in
          index % Self.heldBack == 0
            ? tight : PropertyLimits(velocity: [100], acceleration: [1000], jerk: tight.jerk.map { _ in [1e5] })
        }
        let added = try compare(limited, with: try scene(size))
        try printer.show(
          Row(
            benchmark: "limits", series: series, size: size,
            cost: (added.subject - added.reference) * 1e9 / Double(size),
            reference: bare, unit: "ns a property", comparedWith: "a bare step of springs", limit: 60))
      }
      // As colours and opacities have. These swing within it.
      let ranged = try compare(try scene(size, of: "opacity", around: 0.7), with: try scene(size))
      try printer.show(
        Row(
          benchmark: "limits", series: "a natural range", size: size,
          cost: (ranged.subject - ranged.reference) * 1e9 / Double(size),
          reference: bare, unit: "ns a property", comparedWith: "a bare step of springs", limit: 20))
      // Where the columns of a runtime lie in memory changes its time by a tenth: the least of several runtimes counts.
      let trials = try (0..<Self.trials).map { _ in
        try compare(
          try scene(size) { $0 == 0 ? PropertyLimits(velocity: [3]) : nil }, with: try scene(size))
      }
      let beside = (subject: trials.map(\.subject).min() ?? 0, reference: trials.map(\.reference).min() ?? 0)
      try printer.show(
        Row(
          benchmark: "limits", series: "no limits, beside a property with", size: size,
          cost: beside.subject * 1e9 / Double(size), reference: beside.reference * 1e9 / Double(size),
          unit: "ns a property", comparedWith: "a runtime without any limit", target: 1.05))
    }
  }

  /// The time of a frame of each runtime, in seconds.
  private func compare(_ subject: Runtime, with other: Runtime) throws -> (subject: Double, reference: Double) {
    Stopwatch(quick: options.quick).compare({ subject.advance() }, with: { other.advance() })
  }

  /// So many properties that swing without end around a place, once a second.
  private func scene(
    _ size: Int, of property: PropertyName = "x", around place: Double = 1,
    _ limits: (Int) -> PropertyLimits? = { _ in nil }
  ) throws -> Runtime {
    let runtime = Runtime()
    var transaction = Transaction()
    for index in 0..<size {
      let target = try TargetName("t\(index)")
      transaction.add(.anchoredSpring(property, Lanes(place), .physical(tension: 40, friction: 0)), to: target)
      if let limits = limits(index) { transaction.limit(property, of: target, limits) }
      guard transaction.log.count > Limits.operationsPerTransaction - 2 else { continue }
      try runtime.commit(transaction)
      transaction = Transaction()
    }
    try runtime.commit(transaction)
    for _ in 0..<120 { runtime.advance() }
    return runtime
  }

  /// The time of the bare step of one spring, in nanoseconds.
  private func bareStep(_ size: Int) throws -> Double {
    var (displacements, velocities) = ([Double](repeating: 0, count: size), [Double](repeating: 0, count: size))
    let time = displacements.withUnsafeMutableBufferPointer { displacements in
      velocities.withUnsafeMutableBufferPointer { velocities in
        let step = { reference_step(displacements.baseAddress, velocities.baseAddress, size) }
        return Stopwatch(quick: options.quick).compare(step, with: step).subject
      }
    }
    return time * 1e9 / Double(size)
  }
}
