/// Something that changed a runtime from outside, in the order in which it was applied.
///
/// A runtime is a function of these and of its frames: the same events in the same frames give the same bits.
public enum RuntimeEvent: Hashable, Sendable {
  /// A transaction took effect. Waiting for an `at` is over by then.
  case commit(sequence: UInt64, Transaction)
  /// A worker said something.
  case update(WorkerAddress, WorkerUpdate)
  /// A worker was given everything it has to know, and is ready.
  case provisioned(WorkerAddress)
  /// A worker died or was fenced: its tokens end, its movements fade.
  case lost(WorkerAddress)
  /// A plugin was quarantined: what it owes cannot be fulfilled.
  case quarantined(PluginName, reason: String)
  /// The quarantine of a plugin was lifted; what stood and was given up because its workers died on it is added again.
  case restored(PluginName)
  /// While it is found out on which intention a worker dies, these and all that are added for it meanwhile are withheld
  /// from it; without a list, nothing is withheld any more.
  case withheld(WorkerAddress, [IntentionIdentity]?)
  /// Workers die on this intention: it is given up, and their plugin is not.
  case planQuarantined(IntentionIdentity, reason: String)
  /// Everything holds and all intentions are removed, on these targets or, if there are none, on all.
  case stop(StopRequest)
  /// The intentions of these transactions are removed, because their client is gone.
  case withdraw([UInt64])
  /// Pointers did something on a target, at simulated times.
  case input(PointerInput)
}

/// One frame of a recording: what was applied in it, and what came out.
public struct RecordedFrame: Hashable, Sendable {
  /// The frame.
  public var frame: Frame
  /// What was applied between the frame before and this one, in order: stops, and the lives of workers.
  public var betweenFrames: [RuntimeEvent]
  /// What was applied at its beginning, in order.
  public var events: [RuntimeEvent]
  /// How many late frames were skipped before it.
  public var skipped: UInt64
  /// The hash of the state after it; see `Runtime.frameHash`.
  public var hash: UInt64

  /// A frame with its events and its hash.
  public init(
    frame: Frame, betweenFrames: [RuntimeEvent] = [], events: [RuntimeEvent], skipped: UInt64 = 0, hash: UInt64
  ) {
    self.frame = frame
    self.betweenFrames = betweenFrames
    self.events = events
    self.skipped = skipped
    self.hash = hash
  }
}

/// What a recording begins with: all that a runtime has to know beforehand to do the same again.
public struct RecordingHeader: Hashable, Sendable {
  /// Frames per second.
  public var ratePerSecond: Double
  /// The plugins that were known.
  public var plugins: [PluginManifest]
  /// What the runtime began with, if it was recovered from a journal.
  package var checkpoint: RuntimeCheckpoint?

  /// A header with these entries.
  public init(ratePerSecond: Double, plugins: [PluginManifest]) {
    self.ratePerSecond = ratePerSecond
    self.plugins = plugins
  }
}
