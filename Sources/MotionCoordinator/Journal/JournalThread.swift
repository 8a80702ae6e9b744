import LinuxSystem
import MotionCore
import MotionJournal
import Synchronization
import ZeroMQ

/// Keeps the journal on a thread of its own, which waits for the disk so that no frame does.
///
/// Whatever has arrived while one group of rows was being synced is the next group. What checkpoints need is worked off
/// in small steps between groups, so that no receipt waits for more than one of them. After a failure everything is
/// refused at once, until the disk writes again.
final class JournalThread: Sendable {
  /// What the coordinator's loop says.
  enum Command: Sendable {
    case submission(JournalSubmission)
    case changes(CheckpointChanges)
    case snapshot(JournalSnapshot)
    /// The changes that follow are everything that there is.
    case anew
    case end
  }

  /// What it hears, in the order of what it said.
  enum Event: Sendable {
    /// The oldest so many submissions are on disk, the last of them as this row; it took so long.
    case durable(count: Int, lastRow: UInt64, nanoseconds: Int64)
    /// The oldest so many are not, and do not count.
    case refused(count: Int, JournalProblem)
    /// Nothing is written from now on.
    case failed(JournalProblem)
    /// Rows are written, and no checkpoint from now on until one can be again.
    case withoutCheckpoint(JournalProblem)
    /// A checkpoint could not be read back and was rolled back; the next one needs everything told again.
    case checkpointRefused(JournalProblem)
    /// It is again, and the next snapshot covers this row.
    case healed(lastRow: UInt64)
  }

  /// The last checkpoint. It sends no event, because no thread has to wake up for it.
  final class LastCheckpoint: Sendable {
    let value = Mutex<(row: UInt64, bytes: Int, count: UInt64)>((0, 0, 0))
  }

  /// How the journal was opened.
  enum Opening: Sendable {
    case opened(JournalContents)
    case failed(JournalError)
  }

  /// How long the last rows may take to reach the disk when the coordinator stops.
  static let endTimeout = Duration.seconds(5)

  private let mailbox: Mailbox<Command>
  private let events: Mailbox<Event>
  private let openings: Mailbox<Opening>
  private let endings: Mailbox<Bool>
  private let last = LastCheckpoint()

  private let thread: any RunningThread

  /// Starts the thread, and opens the journal on it.
  ///
  /// - Parameter machine: who runs it.
  init(
    on machine: any Machine = LinuxMachine(), open: @escaping @Sendable () throws(JournalError) -> any Journal
  ) throws {
    mailbox = try Mailbox()
    events = try Mailbox()
    openings = try Mailbox()
    endings = try Mailbox()
    thread = machine.start("journal") { [mailbox, events, openings, endings, last] in
      let writer = JournalWriter(open: open)
      let loop = JournalLoop(writer, mailbox, events, last, on: machine)
      return Body(writer: writer, loop: loop, last: last, openings: openings, endings: endings)
    }
  }

  deinit { mailbox.post(.end) }

  /// What the journal holds, once it is open. Waits for that; call it once.
  func contents() throws(JournalError) -> JournalContents {
    openings.wait()
    switch openings.take()[0] {
    case .opened(let contents): return contents
    case .failed(let error): throw error
    }
  }

  /// The descriptor that becomes readable when there are events.
  var descriptor: Int32 { events.descriptor }

  /// The row of the last checkpoint, its bytes, 0 if it is of before the start, and how many were written since.
  var checkpoint: (row: UInt64, bytes: Int, count: UInt64) { last.value.withLock { $0 } }

  /// What has happened since the last call.
  func takeEvents() -> [Event] { events.take() }

  /// Gives something away to be kept.
  func submit(_ submission: JournalSubmission) { mailbox.post(.submission(submission)) }

  /// Says what has changed since the last call.
  func note(_ changes: CheckpointChanges) { mailbox.post(.changes(changes)) }

  /// Says that the changes that follow are everything that there is, for a checkpoint that is whole.
  func beginAnew() { mailbox.post(.anew) }

  /// Gives the world away; every change up to it was noted before.
  func snapshot(_ snapshot: JournalSnapshot) { mailbox.post(.snapshot(snapshot)) }

  /// Ends the thread once everything that was given away is on disk.
  ///
  /// - Returns: whether it was in time.
  func finish(within timeout: Duration = endTimeout) -> Bool {
    mailbox.post(.end)
    thread.finish()
    return endings.wait(upTo: timeout)
  }

  /// What the thread does: it opens the journal, keeps it, and closes it.
  private struct Body: TurnTaking {
    let writer: JournalWriter
    var loop: JournalLoop
    let last: LastCheckpoint
    let openings: Mailbox<Opening>
    let endings: Mailbox<Bool>
    var isOpen = false

    mutating func turn(waits: Bool) -> Bool {
      let goesOn = isOpen ? loop.turn(waits: waits) : open()
      guard !goesOn else { return true }
      writer.close()
      endings.post(true)
      return false
    }

    private mutating func open() -> Bool {
      do throws(JournalError) {
        let contents = try writer.begin()
        last.value.withLock { $0.row = contents.checkpoint?.sequence ?? 0 }
        openings.post(.opened(contents))
        isOpen = true
      } catch {
        openings.post(.failed(error))
      }
      return isOpen
    }
  }
}
