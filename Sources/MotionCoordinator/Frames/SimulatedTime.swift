import Logging
import Synchronization

/// The simulated time, for the lines of a log: each line shows it beside the wall clock, so that a line can be found in
/// a recording, and a frame in the log.
///
/// One thread sets it, any thread logs.
final class SimulatedTime: Sendable {
  private let bits = Atomic<UInt64>(Double(0).bitPattern)

  /// The time, in simulated seconds. Costs a store.
  var seconds: Double {
    get { Double(bitPattern: bits.load(ordering: .relaxed)) }
    set { bits.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// The logger with the time in each of its lines, as `t=12.345`.
  func stamping(_ logger: Logger) -> Logger {
    let present = logger.handler.metadataProvider
    var logger = logger
    logger.handler.metadataProvider = Logger.MetadataProvider { [self] in
      var metadata = present?.get() ?? [:]
      metadata["t"] = "\(Self.text(seconds))"
      return metadata
    }
    return logger
  }

  /// Seconds to the millisecond.
  private static func text(_ seconds: Double) -> String {
    guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return "\(seconds)" }
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: max(0, 3 - rest.count)))\(rest)"
  }
}
