import LinuxSystem
import MotionModel
import MotionWire
import Synchronization
import ZeroMQ

/// Keeps the last minutes of a run on a thread of its own, so that no frame waits for a disk.
///
/// The thread runs all frames a second time, some hundredths of a second later, and so has the complete state after each:
/// snapshots cost the loop nothing, however large the runtime is. Springs cost it some 2 ns a frame each, and updates of
/// workers about what they cost the loop.
final class HistoryThread: Sendable {
  /// The most bytes of frames that wait for the thread. A thousand properties of a worker take 30 KB a frame: the queue
  /// has room for half a minute of that.
  static let queueBytes = 128 << 20
  /// How long the last frames may take to reach the file when the coordinator stops. On a machine without time for them
  /// the others are in the ring, from which the next start takes them.
  static let endTimeout = Duration.milliseconds(500)

  /// A command of the coordinator's loop, in the order of its frames.
  enum Command: Sendable {
    /// Begin with this state, without a ring; frames follow.
    case begin(Beginning, MachineClocks)
    case pieces([Piece])
    /// The frames of an earlier start, and the events since the last.
    case recovered([RecordedFrame], trailing: RecordedFrame?)
    /// Other plugins are loaded from the next frame on.
    case plugins([PluginManifest])
    /// A client looks back.
    case request(HistoryRequest, number: UInt64)
    /// Deliver the state after the last frame and, if there were any, after these events since it.
    case state(RecordedFrame?, StateReceiver)
    /// The next file of the ring is needed, because the present one is large.
    case needRing
    /// The loop appends to this file of the ring, after all frames that were passed. The next file is made after a later
    /// frame: it needs none before this one.
    ///
    /// - Parameter isAlone: whether this one needs no file before it.
    case tookRing(UInt64, isAlone: Bool)
    /// Frames are missing: nothing is kept until the next beginning.
    case interrupt
    case end
  }

  /// A state, encoded if the loop has done so for a ring.
  enum Beginning: Sendable {
    case header(RecordingHeader)
    case encoded(EncodedHeader)
  }

  /// A frame, or events between two.
  enum Piece: Sendable {
    /// As ``MotionWire/RingFile`` has it: the loop encodes it for the ring, and this thread takes its time to decode it.
    case bytes([UInt8])
    /// One with a transaction of very many operations: to encode them would delay frames.
    case large(RecordedFrame, bytes: Int)

    /// The size, of a large one the estimated one.
    var bytes: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .large(_, let bytes): bytes
      }
    }
  }

  /// An event for the loop.
  enum Event: Sendable {
    case reply(HistoryReply, number: UInt64)
    case done(number: UInt64)
    case refused(Refusal, number: UInt64)
    /// A file of the ring was made, with a snapshot; the loop may append to it.
    ///
    /// - Parameter frame: the frame after which the snapshot was taken.
    case ring(UInt64, frame: UInt64)
    /// Nothing is written from now on, for this reason; empty when it is again.
    case problem(String)
    /// Frames cannot be run again, for this reason.
    case failed(String)
  }

  /// What both threads read.
  final class Shared: Sendable {
    /// The number of queued bytes.
    let queued = Atomic<Int>(0)
    /// The size of the files, and the clocks at which the oldest begins.
    let reach = Mutex<(bytes: UInt64, since: MachineClocks?)>((0, nil))
  }

  private let mailbox: Mailbox<Command>
  private let events: Mailbox<Event>
  private let ended: Future<Void>
  private let shared = Shared()
  private let thread: any RunningThread

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - folder: where the segments are kept.
  ///   - ring: where the files of the ring are made.
  init(_ limits: HistoryLimits, in folder: String, ring: RingFolder, on machine: any Machine) throws {
    mailbox = try Mailbox()
    events = try Mailbox()
    ended = try Future()
    thread = machine.start("history") { [mailbox, events, ended, shared] in
      HistoryLoop(limits, in: folder, ring: ring, mailbox, events, shared, ended, on: machine)
    }
  }

  deinit { mailbox.post(.end) }

  /// The descriptor that becomes readable when there are events.
  var descriptor: Int32 { events.descriptor }

  /// The events since the last call.
  func takeEvents() -> [Event] { events.take() }

  /// How far back it reaches: the size of its files, and the clocks at which the oldest begins.
  var reach: (bytes: UInt64, since: MachineClocks?) { shared.reach.withLock { $0 } }

  /// Passes frames, or events between two.
  ///
  /// - Parameter bytes: their size.
  /// - Returns: whether there was room for them; if not, they are dropped.
  func add(_ pieces: [Piece], bytes: Int) -> Bool {
    let waiting = shared.queued.load(ordering: .relaxed)
    guard waiting == 0 || waiting + bytes <= Self.queueBytes else { return false }
    shared.queued.add(bytes, ordering: .relaxed)
    mailbox.post(.pieces(pieces))
    return true
  }

  /// Begins with what a ring of an earlier start holds.
  ///
  /// - Parameter clocks: the present clocks.
  func recover(_ ring: RecoveredRing, _ clocks: MachineClocks) {
    mailbox.post(.begin(.encoded(ring.beginning), ring.frames.first?.clocks ?? clocks))
    mailbox.post(.recovered(ring.frames, trailing: ring.trailing))
  }

  func post(_ command: Command) { mailbox.post(command) }

  /// Lets the thread end once everything is written.
  func end() { mailbox.post(.end) }

  /// Waits until it has ended.
  ///
  /// - Returns: whether it was in time.
  @discardableResult
  func finish(within timeout: Duration = endTimeout) -> Bool {
    end()
    thread.finish()
    return ended.wait(upTo: timeout)
  }
}
