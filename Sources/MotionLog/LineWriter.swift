import Glibc
import LinuxSystem
import Synchronization
import ZeroMQ

/// Writes lines to a descriptor on a thread of its own. A caller that logs does not wait for a reader or a disk.
///
/// A pipe that is not read fills up, a terminal may be stopped, and a disk may hang. Excess lines are then dropped, and
/// their number is logged once there is room again. A closed reader does not end the process.
public final class LineWriter: Sendable {
  /// Bytes of queued lines: about ten thousand lines, more than the backlog of any reader that reads at all.
  static let queueBytes = 1 << 20
  /// The time limit for writing the last lines.
  public static let endTimeout = Duration.seconds(1)

  private enum Command: Sendable {
    case line([UInt8])
    case end
  }

  /// The counters that callers and the thread share.
  private final class Account: Sendable {
    /// Bytes that are queued.
    let waiting = Atomic<Int>(0)
    /// Lines that were dropped since the last report.
    let lost = Atomic<Int>(0)
  }

  private let account = Account()
  private let note: @Sendable (Int) -> String
  private let mailbox: Mailbox<Command>
  private let ended: Future<Void>

  /// Writes to standard error; starts the thread.
  ///
  /// - Parameter note: makes the line that reports how many lines were lost.
  public convenience init(note: @escaping @Sendable (_ lost: Int) -> String) throws {
    try self.init(to: STDERR_FILENO, note: note)
  }

  /// Likewise, for any descriptor.
  init(to descriptor: Int32, note: @escaping @Sendable (_ lost: Int) -> String) throws {
    self.note = note
    mailbox = try Mailbox()
    ended = try Future()
    OwnThread.start("log") { [mailbox, ended, account] in
      Self.blockSignals()
      Self.write(mailbox, to: descriptor, account)
      ended.set(())
    }
  }

  deinit { mailbox.post(.end) }

  /// Queues a line, which includes its line break. Never waits; any thread may call it.
  public func write(_ line: String) {
    let bytes = Array(line.utf8)
    guard account.waiting.load(ordering: .relaxed) + bytes.count <= Self.queueBytes else {
      account.lost.add(1, ordering: .relaxed)
      return
    }
    noteLost()
    account.waiting.add(bytes.count, ordering: .relaxed)
    mailbox.post(.line(bytes))
  }

  /// Queues a report of dropped lines before the next line.
  private func noteLost() {
    let lost = account.lost.exchange(0, ordering: .relaxed)
    guard lost > 0 else { return }
    let bytes = Array(note(lost).utf8)
    account.waiting.add(bytes.count, ordering: .relaxed)
    mailbox.post(.line(bytes))
  }

  /// Waits until all lines are written, at most ``endTimeout``. Lines that are logged later may be lost.
  public func finish() {
    noteLost()
    mailbox.post(.end)
    ended.wait(upTo: Self.endTimeout)
  }

  /// For the calling thread: a closed pipe is then an ordinary error of `write`, and other threads handle all signals.
  private static func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// The body of the thread: writes one line after the other until it receives `end`.
  private static func write(_ mailbox: Mailbox<Command>, to descriptor: Int32, _ account: Account) {
    while mailbox.wait() {
      for command in mailbox.take() {
        guard case .line(let line) = command else { return }
        if WholeWrite.write(line, to: descriptor) != 0 { account.lost.add(1, ordering: .relaxed) }
        account.waiting.subtract(line.count, ordering: .relaxed)
      }
    }
  }
}
