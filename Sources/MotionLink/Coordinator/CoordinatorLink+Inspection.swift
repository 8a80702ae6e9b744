public import MotionModel
public import MotionWire

extension CoordinatorLink {
  /// Asks the worker by which streams its executors fulfil their plans.
  ///
  /// The answer comes as ``CoordinatorAction/reported(_:question:)`` with the sequence of what is returned here. Neither is
  /// sent again when it gets lost: whoever asks waits a while, and then goes without.
  ///
  /// - Parameter executors: those to ask about; all, if there are none.
  /// - Returns: what to send on the link; nothing while the worker has not got what it has to know.
  public mutating func inspect(_ executors: [ExecutorHandle], at now: Duration) -> Envelope? {
    isProvisioned ? linkStamp.envelope(.inspect(executors), at: now) : nil
  }
}
