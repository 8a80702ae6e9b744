public import MotionModel
public import MotionWire

extension CoordinatorLink {
  /// Queries the worker for the streams by which its executors fulfil their plans.
  ///
  /// The answer comes as ``CoordinatorAction/reported(_:question:)`` with the sequence of the returned envelope.
  /// Neither message is resent when it gets lost: the caller waits for a limited time, and then continues without an
  /// answer.
  ///
  /// - Parameter executors: those to query; all, if there are none.
  /// - Returns: the envelope to send on the link; nothing while the worker is not provisioned.
  public mutating func inspect(_ executors: [ExecutorHandle], at now: Duration) -> Envelope? {
    isProvisioned ? linkStamp.envelope(.inspect(executors), at: now) : nil
  }
}
