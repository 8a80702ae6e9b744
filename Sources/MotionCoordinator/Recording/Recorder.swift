import LinuxSystem
import MotionCore
import MotionModel

/// Records a run, until it ends or the file cannot be written.
///
/// It decides when the recording is over; its owner stops recording in the runtime and logs the reason.
struct Recorder {
  /// What its owner does when a recording ends.
  enum Ending: Equatable {
    /// It ended before the end of the run, for this reason, with the remedy: the owner logs it as an error, stops polling
    /// the descriptor, and lets the runtime record nothing more.
    case failed(String)
    /// Its file is complete, as somebody asked: the owner stops polling the descriptor, and answers them.
    case complete(path: String, Requester?)
  }

  /// `nil` once the recording has ended.
  private var thread: RecordingThread?
  /// Makes the frames of the recording from the log.
  private var frames = FrameRecorder()
  /// The state of the recording in the status, whether or not the recording continues.
  private(set) var status: Status.Recording

  /// Who asked for the end, once somebody has; `.some(nil)` if nobody waits for it.
  private var isEnding = false
  private var requester: Requester?
  /// When the next snapshot is due, on the boot clock.
  private var nextSnapshot: Duration

  /// How often a snapshot follows a frame, if that costs little: a replay begins at the nearest.
  static let snapshotInterval = Duration.seconds(5)
  /// How many times the cost of a snapshot that the loop takes passes until the next one: they take 0.5 % of the time at
  /// most.
  static let snapshotShare = 200
  /// The longest time that a snapshot may take the loop: of a runtime so large that it takes longer, there is only the
  /// first.
  static let longestSnapshot = Duration.milliseconds(2)

  /// Records on this thread from now on.
  init(_ thread: RecordingThread, at now: Duration) {
    self.thread = thread
    status = Status.Recording(path: thread.path)
    nextSnapshot = now + Self.snapshotInterval
  }

  /// Whether the recording continues.
  var isRecording: Bool { thread != nil && !isEnding }
  /// Whether its file is still being written.
  var isBusy: Bool { thread != nil }
  /// The descriptor that becomes readable when the recording has ended.
  var descriptor: Int32? { thread?.descriptor }

  /// No frame follows for now: writes what was added so far to the file.
  func flush() { thread?.flush() }

  /// A frame was run, or something happened between two.
  ///
  /// - Parameters:
  ///   - records: the records of the runtime's log since the last call.
  ///   - skipped: the number of late frames that were skipped before the frame.
  ///   - wallTime: the wall clock, in nanoseconds since 1970.
  mutating func record(
    _ records: [FrameRecord], skipped: UInt64, at now: Duration, wallTime: @autoclosure () -> Int64
  ) -> Ending? {
    guard let thread, !isEnding else { return nil }
    for record in records {
      guard var frame = frames.record(record, skipped: skipped) else { continue }
      frame.clocks = MachineClocks(wallTime: wallTime(), bootTime: now.wholeNanoseconds)
      if thread.add(frame, at: now) { continue }
      return end(
        "the disk is too slow: \(RecordingThread.queueBytes >> 20) MiB wait for \(thread.path). Record to a faster one")
    }
    return nil
  }

  // MARK: Snapshots

  /// Whether the state after this frame is to be added. A thread that does not keep up gets none: a replay can do
  /// without it.
  func wantsSnapshot(at now: Duration) -> Bool { isRecording && now >= nextSnapshot && thread?.keepsUp == true }

  /// Adds the state after the last frame, as soon as the receiver gets it.
  mutating func awaitSnapshot(at now: Duration, wallTime: Int64) -> StateReceiver? {
    thread?.hold(MachineClocks(wallTime: wallTime, bootTime: now.wholeNanoseconds))
    nextSnapshot = now + Self.snapshotInterval
    return thread?.receiver
  }

  /// Adds the state after the last frame.
  ///
  /// - Parameter cost: how long it took to take it; beyond ``longestSnapshot`` it is the last.
  mutating func add(_ header: RecordingHeader, taking cost: Duration, at now: Duration, wallTime: Int64) {
    awaitSnapshot(at: now, wallTime: wallTime)?(.success(header))
    nextSnapshot =
      cost > Self.longestSnapshot
      ? .seconds(Int64.max >> 8) : now + max(Self.snapshotInterval, cost * Self.snapshotShare)
  }

  // MARK: End

  /// Ends the recording with the last frame. ``takeEnding()`` follows when its file is complete.
  mutating func stop(for requester: Requester?) {
    (isEnding, self.requester) = (true, requester)
    thread?.end()
  }

  /// The thread has reported that the recording has ended.
  mutating func takeEnding() -> Ending? {
    switch thread?.takeEnd() {
    case .failed(let reason): return end(reason)
    case .complete:
      thread = nil
      return .complete(path: status.path, requester)
    case nil: return nil
    }
  }

  /// The run ends: waits until everything has reached the file.
  mutating func finish() -> Ending? {
    guard let thread else { return nil }
    let isWritten = thread.finish()
    if case .failed(let reason) = thread.takeEnd() { return end(reason) }
    guard isWritten else {
      return end("its end did not reach \(thread.path) within \(RecordingThread.endTimeout). Record to a faster disk")
    }
    self.thread = nil
    return nil
  }

  /// Drops the thread; what was added so far is written if possible.
  private mutating func end(_ reason: String) -> Ending {
    thread = nil
    status.problem = reason
    return .failed(reason)
  }
}
