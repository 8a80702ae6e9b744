import Glibc
import LinuxSystem
import MotionModel
import MotionWire
import Synchronization
import ZeroMQ

/// Writes a recording on a thread of its own: no frame waits for a disk, nor for an earlier frame to be encoded.
///
/// A recording is whole up to its end. It ends early when the file cannot be written, or when the disk is so slow that
/// ``queueBytes`` wait for it. Then nothing more is added, motion continues, and a line in the log and the status
/// report it.
final class RecordingThread {
  /// The approximate maximum of queued bytes of frames. A thousand springs record 60 bytes a frame, and a worker with a
  /// thousand properties 150 KB. The queue holds more than ten seconds of that at 120 Hz; a disk that is busy with
  /// others takes a second or two.
  static let queueBytes = 256 << 20
  /// How long its end may take to reach the file when the coordinator stops.
  static let endTimeout = Duration.seconds(5)

  private enum Command: Sendable {
    case frame(RecordedFrame, bytes: Int, at: Duration)
    case snapshot(RuntimeSnapshot, bytes: Int, MachineClocks)
    case flush
    case end
  }

  /// How a recording ended.
  enum End: Equatable {
    /// Its file is complete.
    case complete
    /// The file could not be written, for this reason.
    case failed(String)
  }

  /// The approximate number of queued bytes, which both threads count.
  private final class Queue: Sendable {
    let bytes = Atomic<Int>(0)
  }

  /// A writer on its way to its thread.
  ///
  /// Unchecked, because the code that makes one keeps no reference to the writer: the thread alone uses it from then
  /// on.
  private struct Handed: @unchecked Sendable {
    let writer: RecordingWriter
  }

  /// The path of the file.
  let path: String
  /// The new path of the recording that was at the path before.
  let kept: String?
  private let limit: Int
  private let mailbox: Mailbox<Command>
  /// How the recording ended, at most once.
  private let ends: Mailbox<End>
  /// Set when all is written.
  private let ended: Future<Void>
  private let queue = Queue()

  /// Begins a recording: the header is in the file.
  ///
  /// - Throws: ``StartError`` when the file cannot be made.
  convenience init(
    _ path: String, _ header: RecordingHeader, queueBytes: Int = queueBytes, at now: Duration, wallTime: Int64
  ) throws {
    try self.init(
      path, queueBytes: queueBytes, Handed(writer: try RecordingWriter(path, header, at: now, wallTime: wallTime)))
  }

  /// Begins a recording in the midst of a run: the thread makes and writes the header, which may be large.
  ///
  /// - Throws: ``StartError`` when the file cannot be made.
  convenience init(startingLateAt path: String, _ header: RecordingHeader, at now: Duration, wallTime: Int64) throws {
    let writer = RecordingWriter(try RecordingPlace(path), path, header, at: now, wallTime: wallTime)
    try self.init(path, queueBytes: Self.queueBytes, Handed(writer: writer))
    flush()
  }

  private init(_ path: String, queueBytes: Int, _ handed: Handed) throws {
    self.path = path
    limit = queueBytes
    mailbox = try Mailbox()
    ends = try Mailbox()
    ended = try Future()
    kept = handed.writer.kept
    OwnThread.start("recording") { [mailbox, ends, ended, queue] in
      ends.post(Self.write(mailbox, with: handed.writer, queue))
      ended.set(())
    }
  }

  deinit { mailbox.post(.end) }

  /// The descriptor that becomes readable when the recording has ended.
  var descriptor: Int32 { ends.descriptor }

  /// How the recording has ended; returned once.
  func takeEnd() -> End? { ends.take().first }

  /// Adds a frame. A frame always finds room when none waits, however large it is.
  ///
  /// - Returns: whether there was room; if not, nothing more is to be added.
  func add(_ frame: RecordedFrame, at now: Duration) -> Bool {
    let bytes = frame.estimatedBytes
    let waiting = queue.bytes.load(ordering: .relaxed)
    guard waiting == 0 || waiting + bytes <= limit else { return false }
    queue.bytes.add(bytes, ordering: .relaxed)
    mailbox.post(.frame(frame, bytes: bytes, at: now))
    return true
  }

  /// Adds the complete state after the last frame, unless the thread has not kept up: a replay can do without it.
  func add(_ snapshot: RuntimeSnapshot, _ clocks: MachineClocks) {
    let bytes = snapshot.estimatedBytes
    guard queue.bytes.load(ordering: .relaxed) + bytes <= limit / 4 else { return }
    queue.bytes.add(bytes, ordering: .relaxed)
    mailbox.post(.snapshot(snapshot, bytes: bytes, clocks))
  }

  /// Starts writing everything that was added to the file.
  func flush() { mailbox.post(.flush) }

  /// Ends the recording: ``takeEnd()`` tells when its file is complete.
  func end() { mailbox.post(.end) }

  /// Ends the recording, and waits for that.
  ///
  /// - Returns: whether everything has reached the file within ``endTimeout``. ``takeEnd()`` returns the reason
  ///   if it was not the time.
  func finish(within timeout: Duration = endTimeout) -> Bool {
    mailbox.post(.end)
    return ended.wait(upTo: timeout)
  }

  /// The work of the thread: one command after the other until the last, or until something fails.
  private static func write(
    _ mailbox: Mailbox<Command>, with writer: RecordingWriter, _ queue: Queue
  ) -> End {
    // A pipe without a reader any more is an error like others; the signal must not end the process.
    var brokenPipe = sigset_t()
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
    do {
      while mailbox.wait() {
        for command in mailbox.take() {
          switch command {
          case .frame(let frame, let bytes, let time):
            try writer.write(frame, at: time)
            queue.bytes.subtract(bytes, ordering: .relaxed)
          case .snapshot(let snapshot, let bytes, let clocks):
            writer.write(snapshot, clocks)
            queue.bytes.subtract(bytes, ordering: .relaxed)
          case .flush: try writer.flush()
          case .end:
            try writer.finish()
            return .complete
          }
        }
      }
      return .complete
    } catch {
      return .failed("\(error)")
    }
  }
}
