public import MotionModel

/// Runs a recording again, without workers, and compares the results bit for bit.
///
/// A runtime is a function of the events applied to it. The updates of workers are in the recording, so the same frames
/// follow.
public final class Replayer {
  /// The runtime that runs the recording again.
  public let runtime: Runtime

  /// A frame whose result differs.
  public struct Difference: Hashable, Sendable {
    /// The number of the frame.
    public var frame: UInt64
    /// The hash in the recording.
    public var recorded: UInt64
    /// The hash now.
    public var replayed: UInt64
  }

  /// Prepares a runtime like the recorded one.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when the recorded plugins contradict each other.
  public convenience init(_ header: RecordingHeader) throws(Refusal) {
    var registry = ExecutorRegistry()
    for plugin in header.plugins { try registry.register(plugin) }
    guard Limits.rate.contains(header.ratePerSecond) else {
      throw Refusal(.value, "the recorded rate is \(header.ratePerSecond) frames per second", remedy: "Record again.")
    }
    let runtime = Runtime(registry: registry, ratePerSecond: header.ratePerSecond)
    try self.init(header, in: runtime)
    runtime.computesHashes = true
  }

  /// Brings an unused runtime to the beginning of a recording.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when the recording begins with what the runtime does not know. The runtime is of
  ///   no use then.
  package init(_ header: RecordingHeader, in runtime: Runtime) throws(Refusal) {
    self.runtime = runtime
    if var snapshot = header.snapshot {
      snapshot.checkpoint.waiting = []
      try runtime.restore(snapshot)
    } else if var checkpoint = header.checkpoint {
      // A recording contains a transaction in the frame that applies it.
      checkpoint.waiting = []
      runtime.restore(checkpoint)
      runtime.endRecovery()
    }
  }

  /// The state after these events, which followed the last frame of a state; `nil` if the next frame has to be waited for.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when the state cannot be read.
  package static func state(_ header: RecordingHeader, after events: RecordedFrame) throws(Refusal) -> RecordingHeader?
  {
    let copy = try Replayer(header)
    copy.applyBetweenFrames(events)
    guard let snapshot = copy.runtime.snapshot() else { return nil }
    var header = header
    header.snapshot = snapshot
    return header
  }

  /// Applies the events before a frame of the recording.
  package func applyBetweenFrames(_ recorded: RecordedFrame) {
    runtime.accept(recorded.provenances)
    for event in recorded.betweenFrames { runtime.applyNow(event) }
  }

  /// Runs the next frame of the recording.
  ///
  /// - Returns: the difference, if there is one.
  /// - Throws: ``/MotionModel/Refusal`` when the recording has a gap, a time that goes back, or a frame that covers
  ///   more than ``Runtime/longestFrame``.
  public func replay(_ recorded: RecordedFrame) throws(Refusal) -> Difference? {
    let frame = recorded.frame
    guard frame.number == runtime.frame.number + 1, frame.time >= runtime.frame.time, frame.time.isFinite,
      (0...Runtime.longestFrame).contains(frame.dt)
    else {
      throw Refusal(
        .malformed,
        "frame \(frame.number) at \(frame.time) s covers \(frame.dt) s and follows frame \(runtime.frame.number)",
        remedy: "The recording is damaged; record again.")
    }
    applyBetweenFrames(recorded)
    for event in recorded.events { runtime.submit(event) }
    runtime.run(frame)
    guard recorded.hash != 0, runtime.frameHash != recorded.hash else { return nil }
    return Difference(frame: frame.number, recorded: recorded.hash, replayed: runtime.frameHash)
  }
}
