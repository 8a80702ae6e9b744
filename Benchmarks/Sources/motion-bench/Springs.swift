import ArgumentParser
import CReference
import MotionPhysics

/// `motion-bench springs`
struct Springs: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "A step of the spring bank, with its test for rest, against a bare loop over as many numbers.",
    discussion: """
      The bare loop reads, scales and writes a displacement and a velocity for each lane that moves. It is compiled for \
      the same processors as the bank's loops.
      """)

  @OptionGroup var options: BenchOptions

  func run() throws {
    let printer = Printer(options)
    for size in sizes(to: 10_000_000) {
      try measure(Case(series: "shared coefficients", lanes: size), target: size < 100_000 ? 2 : 1.3, printer)
    }
    for size in sizes(to: 1_000_000) {
      try measure(Case(series: "2 lanes each", lanes: size, lanesOfEach: 2), printer)
    }
    for size in sizes(to: 1_000_000) {
      try measure(Case(series: "coefficients of their own", lanes: size, sharing: 1), printer)
    }
    for size in sizes(to: 1_000_000) {
      try measure(Case(series: "20 share their coefficients", lanes: size, sharing: 20), printer)
    }
    for size in sizes(to: 1_000_000) {
      try measure(Case(series: "9 of 10 are at rest", lanes: size, restingShare: 0.9), printer)
    }
    for size in sizes(to: 1_000_000) { try measureComingAndGoing(size, printer) }
    for size in sizes(to: 10_000_000) { try measureAlternatives(size, printer) }
    try printer.show(Precision(steps: options.quick ? 100 : 10_000).row)
  }

  /// Each power of ten from a thousand on.
  private func sizes(to largest: Int) -> [Int] {
    var sizes = [1000]
    while !options.quick, let last = sizes.last, last < largest { sizes.append(last * 10) }
    return sizes
  }

  /// Springs without friction, which never rest, so that each step moves all of them.
  private struct Case {
    let series: String
    let lanes: Int
    var lanesOfEach = 1
    /// How many have the same coefficients; all of them if it is nothing.
    var sharing: Int?
    /// How many of them are at rest before anything is measured.
    var restingShare = 0.0

    var moving: Int { Int(Double(lanes) * (1 - restingShare)) }

    func bank() -> SpringBank {
      let bank = SpringBank()
      let count = lanes / lanesOfEach
      for index in 0..<count {
        let kind = sharing.map { index / $0 } ?? 0
        let spring = SpringCoefficients(tension: 300 + Double(kind) / Double(count), friction: 0)
        // What rests begins where it is drawn to.
        let rests = Double(index % 10) < 10 * restingShare
        _ = bank.insert(
          lanes: lanesOfEach, forces: ForceSum(spring: spring, anchor: SIMD4(repeating: 100)),
          value: rests ? SIMD4(repeating: 100) : SIMD4(Double(index % 97), 1, 1, 1), velocity: .zero, threshold: 0.01,
          tag: UInt32(index))
      }
      bank.step(dt: 1 / 120)
      return bank
    }
  }

  private func measure(_ measured: Case, target: Double? = nil, _ printer: Printer) throws {
    let bank = measured.bank()
    let times = compare({ bank.step(dt: 1 / 120) }, withLoopOver: measured.moving)
    try printer.show(row(measured.series, measured.lanes, times, perLanes: measured.moving, target: target))
    if measured.lanes == 1_000, measured.restingShare == 0, measured.lanesOfEach == 1, measured.sharing != 20 {
      try count(measured, bank, printer)
    }
    guard measured.sharing == nil, measured.lanesOfEach == 1, measured.restingShare == 0, measured.lanes <= 100_000
    else { return }
    try printer.show(
      Row(
        benchmark: "springs", series: measured.series + ", beside motion", size: measured.lanes,
        cost: times.subject * 1e9 / Double(measured.moving), reference: Self.bestPeer, unit: "ns a lane",
        comparedWith: "motion (JavaScript), measured apart", target: 1.0 / 50))
  }

  /// What a step allocates and which references it counts, of which nothing depends on a clock.
  private func count(_ measured: Case, _ bank: SpringBank, _ printer: Printer) throws {
    let steps = 100
    let counts = Counts.of { for _ in 0..<steps { bank.step(dt: 1 / 120) } }
    for (what, count) in [("allocations", counts.allocations), ("references counted", counts.retains)] {
      try printer.show(
        Row(
          benchmark: "springs", series: "\(measured.series), \(what)", size: measured.lanes,
          cost: Double(count) / Double(steps), reference: 0, unit: "a step", comparedWith: "a bare loop", limit: 0))
    }
  }

  /// The best exact spring of the peers: motion's, in nanoseconds a spring and frame.
  ///
  /// It was measured in a quiet run on a machine of two x86-64 cores, not in this run.
  private static let bestPeer = 42.0

  /// Springs of everyday use, each pulled away again as soon as it has come to rest.
  ///
  /// So in every step some of each block arrive or are about to, and no test for rest can be left out.
  private func measureComingAndGoing(_ size: Int, _ printer: Printer) throws {
    let bank = SpringBank()
    let forces = ForceSum(spring: .default, anchor: .zero)
    for index in 0..<size {
      _ = bank.insert(
        lanes: 1, forces: forces, value: SIMD4(1 + Double(index % 997), 0, 0, 0), velocity: .zero, threshold: 1,
        tag: UInt32(index))
    }
    let step = {
      bank.step(dt: 1 / 120)
      for arrival in bank.arrivals {
        bank.setState(
          value: SIMD4(1 + Double(arrival.tag % 997), 0, 0, 0), velocity: .zero, for: arrival.handle)
      }
    }
    // Different ways to go bring them out of step with each other.
    for _ in 0..<(options.quick ? 1 : 500) { step() }
    let times = compare(step, withLoopOver: size)
    try printer.show(row("come to rest and are pulled again", size, times, perLanes: size, target: nil))
  }

  /// What was decided against, beside what was decided for: both without a test for rest.
  private func measureAlternatives(_ size: Int, _ printer: Printer) throws {
    // Of zeros, which stay: what fades would become denormal.
    try withColumns(of: 0.0, size) { displacements, velocities in
      try withColumns(of: Float(0), size) { displacementsInSingle, velocitiesInSingle in
        let step = { reference_step(displacements, velocities, size) }
        let inSingle = Stopwatch(quick: options.quick).compare(
          { reference_step_single(displacementsInSingle, velocitiesInSingle, size) }, with: step)
        try printer.show(alternative("a bare step in 32 bits", size, inSingle))
        let shared = Stopwatch(quick: options.quick, onTheWall: true).compare(
          { reference_step_on_two_threads(displacements, velocities, size) }, with: step)
        try printer.show(alternative("a bare step on two threads", size, shared))
      }
    }
  }

  private func alternative(_ series: String, _ size: Int, _ times: (subject: Double, reference: Double)) -> Row {
    Row(
      benchmark: "springs", series: series, size: size, cost: times.subject * 1e9 / Double(size),
      reference: times.reference * 1e9 / Double(size), unit: "ns a lane",
      comparedWith: "the same in 64 bits on one thread")
  }

  private func row(
    _ series: String, _ size: Int, _ times: (subject: Double, reference: Double), perLanes lanes: Int, target: Double?
  ) -> Row {
    Row(
      benchmark: "springs", series: series, size: size, cost: times.subject * 1e9 / Double(lanes),
      reference: times.reference * 1e9 / Double(lanes), unit: "ns a moving lane", comparedWith: "a bare loop",
      target: target)
  }

  private func compare(
    _ step: () -> Void, withLoopOver lanes: Int
  ) -> (subject: Double, reference: Double) {
    withColumns(of: 1.0, lanes) { first, second in
      Stopwatch(quick: options.quick).compare(
        step, with: { reference_scale(first, second, lanes, 0.999_999, 1.000_001) })
    }
  }

  /// Two columns as the bank lays its own: each begins with a line of the cache, and they are apart by five lines more, so
  /// that both do not compete for the same.
  private func withColumns<Number: BinaryFloatingPoint, Result>(
    of number: Number, _ count: Int,
    _ body: (UnsafeMutablePointer<Number>, UnsafeMutablePointer<Number>) throws -> Result
  ) rethrows -> Result {
    let line = 64
    let distance = (count * MemoryLayout<Number>.stride + line - 1) / line * line + 5 * line
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 2 * distance, alignment: line)
    defer { bytes.deallocate() }
    let columns = [bytes, bytes + distance].map { $0.bindMemory(to: Number.self, capacity: count) }
    for column in columns { column.initialize(repeating: number, count: count) }
    return try body(columns[0], columns[1])
  }
}
