import Logging
import MotionModel

extension Coordinator {
  /// The logger of a coordinator: in journald each of its entries tells of which start it is.
  nonisolated static func logger(_ logger: Logger, of epoch: UInt64) -> Logger {
    guard logger.handler is JournaldLogHandler else { return logger }
    var logger = logger
    logger[metadataKey: "epoch"] = "\(epoch)"
    return logger
  }

  /// What is logged of a worker besides the text: for journald the fields by which one searches, `MOTIOND_PLUGIN=tween`,
  /// and elsewhere nothing, as the text names the worker.
  func metadata(of slot: WorkerSlot) -> Logger.Metadata {
    guard logger.handler is JournaldLogHandler else { return [:] }
    return [
      "plugin": "\(slot.address.plugin)", "instance": "\(slot.address.instance)", "incarnation": "\(slot.incarnation)",
    ]
  }

  /// Which life of a worker, and which process, something that is logged was about: for people, too.
  func lifeMetadata(of slot: WorkerSlot) -> Logger.Metadata {
    var metadata = metadata(of: slot)
    metadata["incarnation"] = "\(slot.incarnation)"
    if let processID = slot.processID { metadata["pid"] = "\(processID)" }
    return metadata
  }

  /// What is logged of a target besides the text: for journald the field `MOTIOND_TARGET`.
  func metadata(of target: TargetName) -> Logger.Metadata {
    logger.handler is JournaldLogHandler ? ["target": "\(target)"] : [:]
  }
}
