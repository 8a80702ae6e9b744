import ArgumentParser
import MotionGateway

/// The limits that an operator may set; each has its reason in `GatewayLimits`.
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
    help: ArgumentHelp("Targets of the runtime above which none is added (default: 10000).", valueName: "count"))
  var targets: Int?

  @Option(
    name: .long,
    help: ArgumentHelp("Intentions of the runtime above which none is added (default: 100000).", valueName: "count"))
  var intentions: Int?

  /// Checks what numbers are possible.
  func check() throws {
    let given = [memory, connections, requestSize, requests, operations, topics, targets, intentions].compactMap { $0 }
    for number in given where !(1...1_000_000_000).contains(number) {
      throw ValidationError("\(number) is no limit; give a number from 1 on")
    }
    // Motiond takes no longer ones, and libzmq hears four times as much.
    if let requestSize, requestSize > 16_384 { throw ValidationError("a request may have 16384 KiB at most") }
    if let memory, memory < 16 || memory > 1 << 20 {
      throw ValidationError("give 16 to \(1 << 20) MiB of memory")
    }
    if let connections, connections > 10_000 { throw ValidationError("give 10000 connections at most") }
  }

  /// The limits, with the usual ones for what is not given.
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
    return limits
  }
}
