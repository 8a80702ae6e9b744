/// A change in a runtime that an event or a frame caused, besides values.
public enum RuntimeChange: Hashable, Sendable {
  /// An executor has taken a plan over.
  case added(IntentionIdentity, named: IntentionName?, ExecutorKey)
  /// A plan was removed from its executor.
  case removed(IntentionIdentity, named: IntentionName?, ExecutorKey)
  /// A plan ended: it was completed, displaced or failed. Its executor is of this type.
  case ended(EndedIntention, by: ExecutorType)
  /// Another executor, or none, drives a property, or the same executor drives it for another plan.
  case driver(DriverChange)
  /// An executor was created.
  case executorCreated(ExecutorKey)
  /// An executor was removed.
  case executorRemoved(ExecutorKey)
  /// Remote execution started.
  case tokenStarted(TokenName, ExecutorKey)
  /// Remote execution ended.
  case tokenEnded(TokenName, ExecutorKey)
  /// The runtime became active or inactive.
  case activity(isActive: Bool)
  /// A value was ignored: it was not finite, had other lanes, or was for a property that the executor may not write.
  case writeRefused(ExecutorKey, PropertyName, reason: String)
  /// A value of a worker was ignored: it was for an executor or a property that the worker does not have, or was not
  /// finite.
  case workerWriteRefused(WorkerAddress)
  /// A token was refused because its executor holds ``Limits/tokensPerExecutor``.
  case tokenRefused(TokenName, ExecutorKey)
  /// Limits could not be set any more by the frame that applied them.
  case limitsFailed(FailedLimits)
  /// Limits hold a property back from its driver's demand.
  case limitEntered(LimitChange)
  /// They no longer do: the property is where its driver demands it, or the demand has ended.
  case limitLeft(PropertyReference)
  /// The driver of a property was late for the frame.
  case late(PropertyReference, ExecutorKey)
}
