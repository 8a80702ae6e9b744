public import MotionModel

/// Receives every event of a runtime: the one place to which logging, inspection and recording connect.
public protocol Tracer: AnyObject {
  /// An event happened in the frame `frame` or, if no frame is running, after it.
  func trace(_ event: TraceEvent, frame: UInt64)
}

/// An event that a runtime passes to its tracers.
public enum TraceEvent: Hashable, Sendable {
  /// A transaction was applied whole.
  case didCommit(sequence: UInt64)
  /// An executor has taken a plan over.
  case didAdd(IntentionIdentity, ExecutorKey)
  /// An executor has taken a plan over under a name.
  case didAddNamed(IntentionIdentity, IntentionName, ExecutorKey)
  /// The plan of a name was removed from its executor.
  case didRemoveNamed(IntentionIdentity, IntentionName, ExecutorKey)
  /// A plan ended.
  case didFinish(IntentionIdentity, Outcome, ExecutorKey)
  /// A plan could not be fulfilled.
  case didFail(IntentionIdentity, reason: String, ExecutorKey)
  /// An executor was created.
  case didCreateExecutor(ExecutorKey)
  /// An executor was removed.
  case didRemoveExecutor(ExecutorKey)
  /// Remote execution started.
  case didStart(TokenName, ExecutorKey)
  /// Remote execution ended.
  case didEnd(TokenName, ExecutorKey)
  /// The runtime became active or inactive.
  case didChangeActivity(Bool)
  /// Another executor, or none, drives a property.
  case didChangeDriver(PropertyReference, ExecutorKey?)
  /// A value was ignored: it was not finite, had other lanes, or was for a property that the executor may not write.
  case didRefuseWrite(ExecutorKey, PropertyName, reason: String)
}
