import LinuxSystem
import MotionFiles
import MotionWire
import Synchronization

/// Answers a viewer's requests that take long, on a thread with a client of motiond of its own.
final class LongRequestThread: Sendable {
  fileprivate enum Command: Sendable {
    case call(ViewerMessage.Call, LongRequest)
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
    let status = OwnThread.begin("requests") { [waiting] in
      let loop = LongRequestLoop(PastReader(named: name, at: address, end: end))
      while loop.turn(mailbox, to: sink, answered: { waiting.count.subtract(1, ordering: .relaxed) }) {}
    }
    guard status == 0 else { throw SystemError(code: status, operation: "pthread_create") }
  }

  deinit { mailbox.post(.end) }

  /// Answers a call, when those before it are answered.
  ///
  /// - Returns: whether it will be; not when ``StudioLimits/waitingLongRequests`` wait already.
  func answer(_ call: ViewerMessage.Call, _ request: LongRequest) -> Bool {
    guard waiting.count.load(ordering: .relaxed) < StudioLimits.waitingLongRequests else { return false }
    waiting.count.add(1, ordering: .relaxed)
    mailbox.post(.call(call, request))
    return true
  }
}

/// The thread's work.
private final class LongRequestLoop {
  /// How long what was read is kept in memory without a request.
  private static let idleTime = Duration.seconds(30)

  private let past: PastReader
  private let hierarchy: HierarchyReader

  init(_ past: PastReader) { (self.past, hierarchy) = (past, HierarchyReader(past)) }

  /// Answers what has arrived.
  ///
  /// - Returns: whether the session goes on.
  func turn(
    _ mailbox: Mailbox<LongRequestThread.Command>, to sink: any MessageSink, answered: () -> Void
  ) -> Bool {
    guard mailbox.wait(upTo: Self.idleTime) else {
      past.drop()
      hierarchy.drop()
      return true
    }
    for command in mailbox.take() {
      guard case .call(let call, let request) = command else { return false }
      defer { answered() }
      do {
        sink.send([ServerMessage.response(call, try answer(request))])
      } catch {
        sink.send([ServerMessage.failure(call, PastReader.text(of: error))])
      }
    }
    return true
  }

  private func answer(_ request: LongRequest) throws -> JSONOutput {
    past.begin()
    return switch request {
    case .list(let query, let moment): try past.rows(query, at: moment)
    case .why(let property, let moment): try past.explanation(of: property, at: moment)
    case .curves(let request): try past.curves(request)
    case .rows(let request, let moment): try hierarchy.page(request, at: moment)
    }
  }
}
