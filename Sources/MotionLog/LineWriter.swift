import Glibc
import LinuxSystem
import Synchronization
import ZeroMQ

/// Writes lines to a descriptor on a thread of its own: whoever logs waits for no reader and no disk.
///
/// A pipe that nobody reads fills up, a terminal may be stopped, and a disk may hang. Lines that are too many then are lost,
/// and their number is told once there is room again. A reader that is gone is no reason to die.
public final class LineWriter: Sendable {
  /// Bytes of lines that may wait: some ten thousand lines, more than any reader that reads at all is behind.
  static let queueBytes = 1 << 20
  /// How long the last lines may take to be written.
  public static let endTimeout = Duration.seconds(1)

  private enum Command: Sendable {
    case line([UInt8])
    case end
  }

  /// What both sides count.
  private final class Account: Sendable {
    /// Bytes that wait.
    let waiting = Atomic<Int>(0)
    /// Lines that were lost since that was last told.
    let lost = Atomic<Int>(0)
  }

  private let account = Account()
  private let note: @Sendable (Int) -> String
  private let mailbox: Mailbox<Command>
  private let endings: Mailbox<Bool>

  /// Writes to standard error; starts the thread.
  ///
  /// - Parameter note: the line that says how many lines were lost.
  public convenience init(note: @escaping @Sendable (_ lost: Int) -> String) throws {
    try self.init(to: STDERR_FILENO, note: note)
  }

  /// Likewise, to any descriptor.
  init(to descriptor: Int32, note: @escaping @Sendable (_ lost: Int) -> String) throws {
    self.note = note
    mailbox = try Mailbox()
    endings = try Mailbox()
    OwnThread.start("log") { [mailbox, endings, account] in
      Self.blockSignals()
      Self.write(mailbox, to: descriptor, account)
      endings.post(true)
    }
  }

  deinit { mailbox.post(.end) }

  /// Adds a line, which ends with its end. Never waits; any thread may.
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

  /// Says how many lines were lost before the one that comes now.
  private func noteLost() {
    let lost = account.lost.exchange(0, ordering: .relaxed)
    guard lost > 0 else { return }
    let bytes = Array(note(lost).utf8)
    account.waiting.add(bytes.count, ordering: .relaxed)
    mailbox.post(.line(bytes))
  }

  /// Waits until everything is written, but not longer than ``endTimeout``; what is logged later may be lost.
  public func finish() {
    noteLost()
    mailbox.post(.end)
    endings.wait(upTo: Self.endTimeout)
  }

  /// For the calling thread: a pipe that nobody reads any more is an error like others, and all else is for others to hear.
  private static func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// What the thread does: one line after the other until it is told to end.
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
