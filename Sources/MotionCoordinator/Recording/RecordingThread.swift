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
    case flush
    case end
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
  /// The reason for a failure, at most once.
  private let failures: Mailbox<String>
  /// Set when all is written.
  private let ended: Future<Void>
  private let queue = Queue()

  /// Begins a recording.
  ///
  /// - Throws: ``StartError`` when the file cannot be made.
  init(
    _ path: String, _ header: RecordingHeader, queueBytes: Int = queueBytes, at now: Duration, wallTime: Int64
  ) throws {
    self.path = path
    limit = queueBytes
    mailbox = try Mailbox()
    failures = try Mailbox()
    ended = try Future()
    let handed = Handed(writer: try RecordingWriter(path, header, at: now, wallTime: wallTime))
    kept = handed.writer.kept
    OwnThread.start("recording") { [mailbox, failures, ended, queue] in
      Self.write(mailbox, with: handed.writer, failures, queue)
      ended.set(())
    }
  }

  deinit { mailbox.post(.end) }

  /// The descriptor that becomes readable when the recording has failed.
  var descriptor: Int32 { failures.descriptor }

  /// Why the recording has failed; returned once.
  func takeFailure() -> String? { failures.take().first }

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

  /// Starts writing everything that was added to the file.
  func flush() { mailbox.post(.flush) }

  /// Ends the recording.
  ///
  /// - Returns: whether everything has reached the file within ``endTimeout``. ``takeFailure()`` returns the reason
  ///   if it was not the time.
  func finish(within timeout: Duration = endTimeout) -> Bool {
    mailbox.post(.end)
    return ended.wait(upTo: timeout)
  }

  /// The work of the thread: one command after the other until the last, or until something fails.
  private static func write(
    _ mailbox: Mailbox<Command>, with writer: RecordingWriter, _ failures: Mailbox<String>, _ queue: Queue
  ) {
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
          case .flush: try writer.flush()
          case .end: return try writer.finish()
          }
        }
      }
    } catch {
      failures.post("\(error)")
    }
  }
}
