/// An external event that changed a runtime, in the order of application.
///
/// A runtime is a function of these events and of its frames: the same events in the same frames give the same bits.
public enum RuntimeEvent: Hashable, Sendable {
  /// A transaction took effect. Any wait for its `at` is over by then.
  case commit(sequence: UInt64, Transaction)
  /// A worker sent an update.
  case update(WorkerAddress, WorkerUpdate)
  /// A worker has received its complete initial state, and is ready.
  case provisioned(WorkerAddress)
  /// A worker exited or was fenced: its tokens end, and its movements fade.
  case lost(WorkerAddress)
  /// A plugin was quarantined: its one-shot plans fail, and its standing plans wait until the plugin is restored.
  case quarantined(PluginName, reason: String)
  /// The quarantine of a plugin was lifted. Standing plans that were given up because its workers crashed on them are
  /// added again.
  case restored(PluginName)
  /// A bisection for the intention on which a worker crashes: these intentions, and all that are added for the worker
  /// meanwhile, are withheld from it. Without a list, none is withheld any longer.
  case withheld(WorkerAddress, [IntentionIdentity]?)
  /// Workers crash on this intention: the intention is given up, and their plugin is not.
  case planQuarantined(IntentionIdentity, reason: String)
  /// All motion stops and all intentions are removed, on these targets or, if there are none, on all.
  case stop(StopRequest)
  /// The intentions of these transactions are removed, because their client disconnected.
  case withdraw([UInt64])
  /// Pointer events on a target, at simulated times.
  case input(PointerInput)
  /// Values of faders, sensors or trackers, at simulated times.
  case inputValues(InputValues)
}

/// One frame of a recording: the events that were applied in it, and the hash of the result.
public struct RecordedFrame: Hashable, Sendable {
  /// The frame.
  public var frame: Frame
  /// The events that were applied between the frame before and this one, in order: stops, and the life-cycle events of
  /// workers.
  public var betweenFrames: [RuntimeEvent]
  /// The events that were applied at its beginning, in order.
  public var events: [RuntimeEvent]
  /// The number of late frames that were skipped before it.
  public var skipped: UInt64
  /// The hash of the state after it; see `Runtime.frameHash`. 0 if none was computed.
  public var hash: UInt64
  /// The clocks of the machine when it had run; `nil` in recordings that do not state them. No replay depends on them.
  public var clocks: MachineClocks?
  /// The provenance of the transactions in it, by their sequences, as far as it is known. No replay depends on it.
  public var provenances: [UInt64: Provenance] = [:]

  /// Creates a frame with its events and its hash.
  public init(
    frame: Frame, betweenFrames: [RuntimeEvent] = [], events: [RuntimeEvent], skipped: UInt64 = 0, hash: UInt64,
    clocks: MachineClocks? = nil
  ) {
    self.frame = frame
    self.betweenFrames = betweenFrames
    self.events = events
    self.skipped = skipped
    self.hash = hash
    self.clocks = clocks
  }
}

/// The clocks of a machine at one moment.
public struct MachineClocks: Hashable, Sendable {
  /// The wall clock, in nanoseconds since 1970. It can be set at any time.
  public var wallTime: Int64
  /// The boot clock, in nanoseconds: it never goes back, and counts while the machine is suspended.
  public var bootTime: Int64

  /// Creates a moment of both clocks.
  public init(wallTime: Int64, bootTime: Int64) { (self.wallTime, self.bootTime) = (wallTime, bootTime) }
}

/// The header of a recording: the initial data that a runtime needs to replay it.
public struct RecordingHeader: Hashable, Sendable {
  /// Frames per second.
  public var ratePerSecond: Double
  /// The plugins that were loaded.
  public var plugins: [PluginManifest]
  /// The state that the runtime began with, if it was recovered from a journal.
  package var checkpoint: RuntimeCheckpoint?
  /// The state that the runtime had when the recording began in the midst of a run.
  public var snapshot: RuntimeSnapshot?

  /// Creates a header with these entries.
  public init(ratePerSecond: Double, plugins: [PluginManifest]) {
    self.ratePerSecond = ratePerSecond
    self.plugins = plugins
  }
}
