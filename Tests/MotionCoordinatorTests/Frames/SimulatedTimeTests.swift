import Logging
import Synchronization
import Testing

@testable import MotionCoordinator

@Suite struct SimulatedTimeTests {
  /// Keeps the log lines that it receives.
  private struct Handler: LogHandler {
    final class Lines: Sendable {
      let all = Mutex<[String]>([])
    }

    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let time = metadataProvider?.get()["t"].map { "\($0)" } ?? "none"
      lines.all.withLock { $0.append("\(time) \(event.message)") }
    }
  }

  @Test func `each log line shows the simulated time of its turn`() {
    let lines = Handler.Lines()
    let time = SimulatedTime()
    let logger = time.stamping(Logger(label: "test") { _ in Handler(lines: lines) })
    logger.info("start")
    time.seconds = 12.0345
    logger.info("later")
    time.seconds = 1e300
    logger.info("at a time that no clock shows")
    #expect(lines.all.withLock { $0 } == ["0.000 start", "12.035 later", "1e+300 at a time that no clock shows"])
  }
}
