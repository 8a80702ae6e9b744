import LinuxSystem
import MotionCore
import MotionModel

/// Records a run, until it ends or the file cannot be written.
///
/// It decides when the recording is over; its owner stops recording in the runtime and logs the reason.
struct Recorder {
  /// The end of a recording before the end of the run. The owner logs it as an error, stops polling the descriptor, and
  /// lets the runtime record nothing more.
  struct Ending: Equatable {
    /// The cause and the remedy.
    let reason: String
  }

  /// `nil` once the recording has ended.
  private var thread: RecordingThread?
  /// Makes the frames of the recording from the log.
  private var frames = FrameRecorder()
  /// The state of the recording in the status, whether or not the recording continues.
  private(set) var status: Status.Recording

  /// Records on this thread from now on.
  init(_ thread: RecordingThread) {
    self.thread = thread
    status = Status.Recording(path: thread.path)
  }

  /// Whether the recording continues.
  var isRecording: Bool { thread != nil }

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
    guard let thread else { return nil }
    for record in records {
      guard var frame = frames.record(record, skipped: skipped) else { continue }
      frame.clocks = MachineClocks(wallTime: wallTime(), bootTime: now.wholeNanoseconds)
      if thread.add(frame, at: now) { continue }
      return end(
        "the disk is too slow: \(RecordingThread.queueBytes >> 20) MiB wait for \(thread.path). Record to a faster one")
    }
    return nil
  }

  /// The thread has reported that the file could not be written.
  mutating func failed() -> Ending? {
    guard let reason = thread?.takeFailure() else { return nil }
    return end(reason)
  }

  /// The run ends: waits until everything has reached the file.
  mutating func finish() -> Ending? {
    guard let thread else { return nil }
    let isWritten = thread.finish()
    if let reason = thread.takeFailure() { return end(reason) }
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
    return Ending(reason: reason)
  }
}
