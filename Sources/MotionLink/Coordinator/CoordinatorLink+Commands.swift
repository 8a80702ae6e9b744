public import MotionModel
public import MotionWire

extension CoordinatorLink {
  /// Numbers a command, from 1 without gaps.
  ///
  /// - Returns: its number, and what to publish on the topic of commands: nothing before the worker is provisioned, as
  ///   the snapshot will contain the command's effect, and nothing once it is drained.
  public mutating func send(_ command: WorkerCommand, at now: Duration) -> (number: UInt64, publish: Envelope?) {
    lastCommand += 1
    guard isProvisioned else { return (lastCommand, nil) }
    return (lastCommand, commandStamp.envelope(.command(number: lastCommand, command), at: now))
  }

  /// Announces a frame.
  ///
  /// - Returns: what to publish on the topic of ticks, if the worker is provisioned and gets ticks.
  public mutating func tick(_ frame: Frame, at now: Duration) -> Envelope? {
    guard isProvisioned, wantsUpdates else { return nil }
    announcedFrame = max(announcedFrame, frame.number)
    return tickStamp.envelope(.tick(Tick(frame: frame, lastCommand: lastCommand)), at: now)
  }

  /// Tells the worker to finish what is in hand and to exit. What it still says is heard; how long that may take is
  /// for the owner's stop ladder to say.
  ///
  /// - Returns: what to publish on the topic of commands; nothing if the worker would not hear it, which is then ended
  ///   by the next step of the ladder.
  public mutating func drain(at now: Duration) -> Envelope? {
    guard state != .draining, state != .fenced else { return nil }
    let (_, shutdown) = send(.shutdown, at: now)
    state = .draining
    snapshotRequest = nil
    return shutdown
  }
}
