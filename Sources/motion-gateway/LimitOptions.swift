import ArgumentParser
import MotionGateway

/// The limits that an operator can set; `GatewayLimits` documents the reasons.
struct LimitOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Memory beyond that of the start, in MiB (default: 512).", valueName: "mib"))
  var memory: Int?

  @Option(name: .long, help: ArgumentHelp("Connections at a time (default: 256).", valueName: "count"))
  var connections: Int?

  @Option(name: .long, help: ArgumentHelp("The longest request, in KiB (default: 1024).", valueName: "kib"))
  var requestSize: Int?

  @Option(
    name: .long, help: ArgumentHelp("Requests of one connection in a second (default: 200).", valueName: "count"))
  var requests: Int?

  @Option(
    name: .long, help: ArgumentHelp("Operations of one connection in a second (default: 5000).", valueName: "count"))
  var operations: Int?

  @Option(name: .long, help: ArgumentHelp("Topics of one connection (default: 256).", valueName: "count"))
  var topics: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The number of motiond's targets above which the gateway adds none (default: 10000).", valueName: "count"))
  var targets: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The number of motiond's intentions above which the gateway adds none (default: 100000).", valueName: "count"))
  var intentions: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Rows of one answer, and properties on a topic of everything (default: 10000).", valueName: "count"))
  var rows: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Rows of one connection's answers in a second (default: 20000); of all connections it is two and a half times as many.",
      valueName: "count"))
  var rowsPerSecond: Int?

  func validate() throws {
    try checkRange(memory, 16...(1 << 20), "--memory")
    try checkRange(connections, 1...10_000, "--connections")
    // At most 16 MiB: libzmq receives four times as much, and 64 MiB is motiond's own limit.
    try checkRange(requestSize, 1...16_384, "--request-size")
    for (number, option) in [
      (requests, "--requests"), (operations, "--operations"), (topics, "--topics"), (targets, "--targets"),
      (intentions, "--intentions"), (rows, "--rows"), (rowsPerSecond, "--rows-per-second"),
    ] { try checkRange(number, 1...1_000_000_000, option) }
  }

  /// The limits, with defaults for the options that are not given.
  var limits: GatewayLimits {
    var limits = GatewayLimits()
    if let memory { limits.memory = memory << 20 }
    if let connections { limits.connections = connections }
    if let requestSize { limits.requestBytes = requestSize << 10 }
    if let requests { limits.requestsPerSecond = Double(requests) }
    if let operations { limits.operationsPerSecond = Double(operations) }
    if let topics {
      limits.topics = topics
      limits.allTopics = max(limits.allTopics, topics)
    }
    if let targets { limits.targets = targets }
    if let intentions { limits.intentions = intentions }
    if let rows { limits.rows = rows }
    // A rate below the longest answer would always refuse that answer.
    let usual = max(limits.rowsPerSecond, Double(limits.rows))
    limits.rowsPerSecond = rowsPerSecond.map { Double(max($0, limits.rows)) } ?? usual
    limits.allRowsPerSecond = 2.5 * limits.rowsPerSecond
    return limits
  }
}

/// Checks that the number of an option is in its range.
func checkRange(_ number: Int?, _ range: ClosedRange<Int>, _ option: String) throws {
  guard let number, !range.contains(number) else { return }
  throw ValidationError("\(option) is \(number); give \(range.lowerBound) to \(range.upperBound)")
}
