import LinuxSystem
import MotionCore
import MotionJournal
import Synchronization
import ZeroMQ

/// Writes the journal on a thread of its own, which waits for the disk so that no frame does.
///
/// The rows that have arrived while one group was being synced are the next group. Checkpoints are written in small
/// steps between groups, so that a receipt waits for at most one of them. After a failure every submission is refused
/// at once, until the disk writes again.
final class JournalThread: Sendable {
  /// A command of the coordinator's loop.
  enum Command: Sendable {
    case submission(JournalSubmission)
    case changes(CheckpointChanges)
    case snapshot(JournalSnapshot)
    /// The changes that follow are the complete contents.
    case anew
    case end
  }

  /// An event for the loop, in the order of its commands.
  enum Event: Sendable {
    /// The oldest so many submissions are on disk, the last of them as this row; it took so long.
    case durable(count: Int, lastRow: UInt64, nanoseconds: Int64)
    /// The oldest so many are not, and do not count.
    case refused(count: Int, JournalProblem)
    /// Nothing is written from now on.
    case failed(JournalProblem)
    /// Rows are written, but no checkpoint until one can be written again.
    case withoutCheckpoint(JournalProblem)
    /// A checkpoint could not be read back and was rolled back; the next one needs all contents passed again.
    case checkpointRefused(JournalProblem)
    /// The journal is written again, and the next snapshot covers this row.
    case healed(lastRow: UInt64)
  }

  /// The last checkpoint. It sends no event, because no thread has to wake up for it.
  final class LastCheckpoint: Sendable {
    let value = Mutex<(row: UInt64, bytes: Int, count: UInt64)>((0, 0, 0))
  }

  /// How long the last rows may take to reach the disk when the coordinator stops.
  static let endTimeout = Duration.seconds(5)

  private let mailbox: Mailbox<Command>
  private let events: Mailbox<Event>
  private let opened: Future<Result<JournalContents, JournalError>>
  private let ended: Future<Void>
  private let last = LastCheckpoint()

  private let thread: any RunningThread

  /// Starts the thread, and opens the journal on it.
  ///
  /// - Parameter machine: runs the thread.
  init(
    on machine: any Machine = LinuxMachine(), open: @escaping @Sendable () throws(JournalError) -> any Journal
  ) throws {
    mailbox = try Mailbox()
    events = try Mailbox()
    opened = try Future()
    ended = try Future()
    thread = machine.start("journal") { [mailbox, events, opened, ended, last] in
      let writer = JournalWriter(open: open)
      let loop = JournalLoop(writer, mailbox, events, last, on: machine)
      return Body(writer: writer, loop: loop, last: last, opened: opened, ended: ended)
    }
  }

  deinit { mailbox.post(.end) }

  /// The contents of the journal, once it is open. Waits for that; call it once.
  func contents() throws(JournalError) -> JournalContents {
    try opened.take().get()
  }

  /// The descriptor that becomes readable when there are events.
  var descriptor: Int32 { events.descriptor }

  /// The row of the last checkpoint, its bytes (0 if it is from before the start), and how many were written since.
  var checkpoint: (row: UInt64, bytes: Int, count: UInt64) { last.value.withLock { $0 } }

  /// The events since the last call.
  func takeEvents() -> [Event] { events.take() }

  /// Submits an entry to be written.
  func submit(_ submission: JournalSubmission) { mailbox.post(.submission(submission)) }

  /// Passes the changes since the last call.
  func note(_ changes: CheckpointChanges) { mailbox.post(.changes(changes)) }

  /// Announces that the changes that follow are the complete contents, for a full checkpoint.
  func beginAnew() { mailbox.post(.anew) }

  /// Submits a snapshot; every change up to it was passed before.
  func snapshot(_ snapshot: JournalSnapshot) { mailbox.post(.snapshot(snapshot)) }

  /// Ends the thread once every submission is on disk.
  ///
  /// - Returns: whether it was in time.
  func finish(within timeout: Duration = endTimeout) -> Bool {
    mailbox.post(.end)
    thread.finish()
    return ended.wait(upTo: timeout)
  }

  /// The work of the thread: it opens the journal, writes it, and closes it.
  private struct Body: TurnTaking {
    let writer: JournalWriter
    var loop: JournalLoop
    let last: LastCheckpoint
    let opened: Future<Result<JournalContents, JournalError>>
    let ended: Future<Void>
    var isOpen = false

    mutating func turn(waits: Bool) -> Bool {
      let goesOn = isOpen ? loop.turn(waits: waits) : open()
      guard !goesOn else { return true }
      writer.close()
      ended.set(())
      return false
    }

    private mutating func open() -> Bool {
      do throws(JournalError) {
        let contents = try writer.begin()
        last.value.withLock { $0.row = contents.checkpoint?.sequence ?? 0 }
        opened.set(.success(contents))
        isOpen = true
      } catch {
        opened.set(.failure(error))
      }
      return isOpen
    }
  }
}
