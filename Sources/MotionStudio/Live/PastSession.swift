import LinuxSystem
import MotionWire
import Synchronization

/// Answers a viewer's requests about the last minutes, on a thread with a client of motiond of its own.
final class PastSession: Sendable {
  fileprivate enum Command: Sendable {
    case call(ViewerMessage.Call, PastRequest)
    case end
  }

  /// The number of requests without an answer.
  private final class Waiting: Sendable { let count = Atomic<Int>(0) }

  private let mailbox: Mailbox<Command>
  private let waiting = Waiting()

  /// - Parameter end: ends a request that is under way.
  /// - Throws: when the system has no thread or descriptor left.
  init(
    named name: String, at address: MotiondAddress, end: EventCounter, to sink: any MessageSink
  ) throws(SystemError) {
    let mailbox = try Mailbox<Command>()
    self.mailbox = mailbox
    let status = OwnThread.begin("past") { [waiting] in
      let past = PastLoop(PastReader(named: name, at: address, end: end))
      while past.turn(mailbox, to: sink, answered: { waiting.count.subtract(1, ordering: .relaxed) }) {}
    }
    guard status == 0 else { throw SystemError(code: status, operation: "pthread_create") }
  }

  deinit { mailbox.post(.end) }

  /// Answers a call, when those before it are answered.
  ///
  /// - Returns: whether it will be; not when ``StudioLimits/waitingPasts`` wait already.
  func answer(_ call: ViewerMessage.Call, _ request: PastRequest) -> Bool {
    guard waiting.count.load(ordering: .relaxed) < StudioLimits.waitingPasts else { return false }
    waiting.count.add(1, ordering: .relaxed)
    mailbox.post(.call(call, request))
    return true
  }
}

/// The thread's work.
private final class PastLoop {
  /// How long what was read is kept in memory without a request.
  private static let idleTime = Duration.seconds(30)

  private let reader: PastReader

  init(_ reader: PastReader) { self.reader = reader }

  /// Answers what has arrived.
  ///
  /// - Returns: whether the session goes on.
  func turn(
    _ mailbox: Mailbox<PastSession.Command>, to sink: any MessageSink, answered: () -> Void
  ) -> Bool {
    guard mailbox.wait(upTo: Self.idleTime) else {
      reader.drop()
      return true
    }
    for command in mailbox.take() {
      guard case .call(let call, let request) = command else { return false }
      defer { answered() }
      do {
        sink.send([ServerMessage.response(call, try reader.answer(request))])
      } catch {
        sink.send([ServerMessage.failure(call, PastReader.text(of: error))])
      }
    }
    return true
  }
}
