import Logging
import MotionModel

extension Coordinator {
  /// The logger of a coordinator. In journald each of its entries carries the epoch of this start.
  nonisolated static func logger(_ logger: Logger, of epoch: UInt64) -> Logger {
    guard logger.handler is JournaldLogHandler else { return logger }
    var logger = logger
    logger[metadataKey: "epoch"] = "\(epoch)"
    return logger
  }

  /// The metadata of a log entry about a target: for journald the field `MOTIOND_TARGET`.
  func metadata(of target: TargetName) -> Logger.Metadata {
    logger.handler is JournaldLogHandler ? ["target": "\(target)"] : [:]
  }
}
