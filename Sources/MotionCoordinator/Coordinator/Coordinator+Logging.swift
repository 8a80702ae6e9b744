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

  /// The metadata of a log entry about a worker. For journald these are the fields to search by, such as
  /// `MOTIOND_PLUGIN=tween`; elsewhere there are none, as the text names the worker.
  func metadata(of slot: WorkerSlot) -> Logger.Metadata {
    guard logger.handler is JournaldLogHandler else { return [:] }
    return [
      "plugin": "\(slot.address.plugin)", "instance": "\(slot.address.instance)", "incarnation": "\(slot.incarnation)",
    ]
  }

  /// The incarnation and process that a log entry is about; shown to people, too.
  func lifeMetadata(of slot: WorkerSlot) -> Logger.Metadata {
    var metadata = metadata(of: slot)
    metadata["incarnation"] = "\(slot.incarnation)"
    if let processID = slot.processID { metadata["pid"] = "\(processID)" }
    return metadata
  }

  /// The metadata of a log entry about a target: for journald the field `MOTIOND_TARGET`.
  func metadata(of target: TargetName) -> Logger.Metadata {
    logger.handler is JournaldLogHandler ? ["target": "\(target)"] : [:]
  }
}
