import ArgumentParser
import CReference
import MotionPhysics

/// `motion-bench springs`
struct Springs: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "A step of the spring bank, with its test for rest, against a bare read-scale-write loop over as many numbers.")

  @OptionGroup var options: BenchOptions

  func run() throws {
    let printer = Printer(options)
    for size in options.quick ? [1_000] : [1_000, 10_000, 100_000, 1_000_000, 10_000_000] {
      let target = size < 100_000 ? 2.0 : 1.3
      try printer.show(measure("shared coefficients, 1 lane", size, lanes: 1, groups: 1, target: target))
    }
    for size in options.quick ? [1_000] : [1_000, 100_000, 1_000_000] {
      try printer.show(measure("shared coefficients, 2 lanes", size, lanes: 2, groups: 1))
      try printer.show(measure("coefficients of their own, 1 lane", size, lanes: 1, groups: size))
    }
  }

  /// Springs without friction, which never rest, so that each step moves all of them.
  private func measure(_ series: String, _ size: Int, lanes: Int, groups: Int, target: Double? = nil) -> Row {
    let bank = SpringBank()
    for index in 0..<(size / lanes) {
      let tension = 300 + Double(index % groups) / Double(groups)
      let spring = SpringCoefficients(tension: tension, friction: 0)
      _ = bank.insert(
        lanes: lanes, forces: ForceSum(spring: spring, anchor: SIMD4(repeating: 100)),
        value: SIMD4(Double(index % 97), 1, 0, 0), velocity: .zero, threshold: 0.01, tag: UInt32(index))
    }
    var (first, second) = ([Double](repeating: 1, count: size), [Double](repeating: 1, count: size))
    let times = first.withUnsafeMutableBufferPointer { first in
      second.withUnsafeMutableBufferPointer { second in
        Stopwatch(quick: options.quick).compare(
          { bank.step(dt: 1 / 120) },
          with: { reference_scale(first.baseAddress, second.baseAddress, size, 0.999_999, 1.000_001) })
      }
    }
    let perLane = 1e9 / Double(size)
    return Row(
      benchmark: "springs", series: series, size: size, cost: times.subject * perLane,
      reference: times.reference * perLane, unit: "ns a lane", comparedWith: "a bare loop", target: target)
  }
}
