import Glibc
import LinuxSystem
import MotionModel
import MotionWire
import Synchronization
import ZeroMQ

/// Receives a state that was requested, on any thread; or why there is none.
typealias StateReceiver = @Sendable (Result<RecordingHeader, Refusal>) -> Void

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

  fileprivate enum Command: Sendable {
    case frame(RecordedFrame, bytes: Int, at: Duration)
    /// Whatever follows waits for a state, whose clocks these are.
    case hold(MachineClocks)
    case state(Result<RecordingHeader, Refusal>)
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
  fileprivate final class Queue: Sendable {
    let bytes = Atomic<Int>(0)
  }

  /// What its thread alone uses.
  ///
  /// Unchecked, because the code that makes one keeps no reference to the writer.
  fileprivate struct Handed: @unchecked Sendable {
    let place: RecordingPlace?
    var writer: RecordingWriter?
    /// The clocks of the state that everything held waits for.
    var holding: MachineClocks?
    var held: ArraySlice<Command> = []
    /// The last frame that is in the recording.
    var lastFrame: UInt64 = 0
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
      path, queueBytes: queueBytes,
      Handed(place: nil, writer: try RecordingWriter(path, header, at: now, wallTime: wallTime)))
  }

  /// Begins a recording in the midst of a run. It begins with the state that ``receiver`` gets; frames may be added
  /// before.
  ///
  /// - Throws: ``StartError`` when the file cannot be made.
  convenience init(startingLateAt path: String, at now: Duration, wallTime: Int64) throws {
    let clocks = MachineClocks(wallTime: wallTime, bootTime: now.wholeNanoseconds)
    try self.init(
      path, queueBytes: Self.queueBytes, Handed(place: try RecordingPlace(path), writer: nil, holding: clocks))
  }

  private init(_ path: String, queueBytes: Int, _ handed: Handed) throws {
    self.path = path
    limit = queueBytes
    mailbox = try Mailbox()
    ends = try Mailbox()
    ended = try Future()
    kept = handed.place?.kept ?? handed.writer?.kept
    OwnThread.start("recording") { [mailbox, ends, ended, queue] in
      ends.post(Self.write(mailbox, to: path, with: handed, queue))
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

  /// Whether there is room for a state.
  var keepsUp: Bool { queue.bytes.load(ordering: .relaxed) <= limit / 4 }

  /// Whatever is added from now on waits until ``receiver`` gets the complete state after the last frame.
  func hold(_ clocks: MachineClocks) { mailbox.post(.hold(clocks)) }

  /// Adds the state that is held for: at the beginning the first, later a snapshot.
  var receiver: StateReceiver { { [mailbox] in mailbox.post(.state($0)) } }

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
    _ mailbox: Mailbox<Command>, to path: String, with handed: Handed, _ queue: Queue
  ) -> End {
    // A pipe without a reader any more is an error like others; the signal must not end the process.
    var brokenPipe = sigset_t()
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
    var handed = handed
    do {
      while mailbox.wait() {
        for command in mailbox.take() {
          if let end = try handed.carryOut(command, path, queue) { return end }
        }
      }
      return .complete
    } catch {
      return .failed("\(error)")
    }
  }
}

extension RecordingThread.Handed {
  mutating func carryOut(
    _ command: RecordingThread.Command, _ path: String, _ queue: RecordingThread.Queue
  ) throws -> RecordingThread.End? {
    if case .state(let state) = command { return try take(state, path, queue) }
    if let holding {
      held.append(command)
      guard writer != nil, command.isPressing(since: holding) else { return nil }
      // A replay can do without the snapshot.
      self.holding = nil
      return try goOn(path, queue)
    }
    switch command {
    case .frame(let frame, let bytes, let time):
      try writer?.write(frame, at: time)
      lastFrame = frame.frame.number
      queue.bytes.subtract(bytes, ordering: .relaxed)
    case .hold(let clocks): holding = clocks
    case .flush: try writer?.flush()
    case .end:
      try writer?.finish()
      return .complete
    case .state: break
    }
    return nil
  }

  /// Takes the state that everything held waits for, and then that. One that is not waited for any more is dropped.
  private mutating func take(
    _ state: Result<RecordingHeader, Refusal>, _ path: String, _ queue: RecordingThread.Queue
  ) throws -> RecordingThread.End? {
    guard let clocks = holding else { return nil }
    let snapshot = try? state.get().snapshot
    if let writer {
      guard snapshot == nil || snapshot?.frame.number == lastFrame else { return nil }
      if let snapshot { writer.write(snapshot, clocks) }
    } else if let place {
      let writer = RecordingWriter(
        place, path, try state.get(), at: .nanoseconds(clocks.bootTime), wallTime: clocks.wallTime)
      self.writer = writer
      lastFrame = snapshot?.frame.number ?? 0
      try writer.flush()
    }
    holding = nil
    return try goOn(path, queue)
  }

  private mutating func goOn(_ path: String, _ queue: RecordingThread.Queue) throws -> RecordingThread.End? {
    while holding == nil, let next = held.popFirst() {
      if let end = try carryOut(next, path, queue) { return end }
    }
    return nil
  }
}

extension RecordingThread.Command {
  /// How long a snapshot is waited for, on the boot clock: what is held is lost with the process.
  private static let longestHold = Duration.seconds(1)

  /// Whether it has to be carried out without what it is held for.
  fileprivate func isPressing(since clocks: MachineClocks) -> Bool {
    switch self {
    case .flush, .end: true
    case .frame(_, _, let time): time - .nanoseconds(clocks.bootTime) > Self.longestHold
    case .hold, .state: false
    }
  }
}
