public import MotionModel
public import MotionWire

extension CoordinatorLink {
  /// Numbers a command, from 1 without gaps.
  ///
  /// - Returns: its number, and the envelope to publish on the topic of commands. There is no envelope before the
  ///   worker is provisioned, because the snapshot will contain the command's effect, and none once the worker drains.
  public mutating func send(_ command: WorkerCommand, at now: Duration) -> (number: UInt64, publish: Envelope?) {
    lastCommand += 1
    guard isProvisioned else { return (lastCommand, nil) }
    return (lastCommand, commandStamp.envelope(.command(number: lastCommand, command), at: now))
  }

  /// Announces a frame.
  ///
  /// - Returns: the envelope to publish on the topic of ticks, if the worker is provisioned and gets ticks.
  public mutating func tick(_ frame: Frame, at now: Duration) -> Envelope? {
    guard isProvisioned, wantsUpdates else { return nil }
    announcedFrame = max(announcedFrame, frame.number)
    return tickStamp.envelope(.tick(Tick(frame: frame, lastCommand: lastCommand, shape: shape.number)), at: now)
  }

  /// Orders the worker to finish its work and to exit. Its later messages are still received. The owner's stop ladder
  /// decides how long the drain may take.
  ///
  /// - Parameter isFinal: whether motiond ends, too, so that no successor goes on at once.
  /// - Returns: the envelope to publish on the topic of commands; nothing if the worker would not receive it. The next
  ///   step of the ladder then ends that worker.
  public mutating func drain(isFinal: Bool = false, at now: Duration) -> Envelope? {
    guard state != .draining, state != .fenced else { return nil }
    let (_, shutdown) = send(.shutdown(isFinal: isFinal), at: now)
    state = .draining
    snapshotRequest = nil
    return shutdown
  }
}
