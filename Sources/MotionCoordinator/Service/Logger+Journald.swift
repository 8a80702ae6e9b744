import Logging
import MotionModel

extension Logger {
  /// The logger of a coordinator. In journald each of its entries carries the epoch of this start.
  func ofStart(_ epoch: UInt64) -> Logger {
    guard handler is JournaldLogHandler else { return self }
    var logger = self
    logger[metadataKey: "epoch"] = "\(epoch)"
    return logger
  }

  /// The metadata of an entry about a target: for journald the field `MOTIOND_TARGET`; elsewhere there is none, as the
  /// text names the target.
  func metadata(of target: TargetName) -> Logger.Metadata {
    handler is JournaldLogHandler ? ["target": "\(target)"] : [:]
  }
}
