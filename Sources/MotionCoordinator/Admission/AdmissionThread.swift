import LinuxSystem
import Logging
import Synchronization
import ZeroMQ

/// Answers libzmq's authentication requests on a thread of its own: a handshake waits for neither the loop nor a disk,
/// and nothing waits for a handshake.
///
/// ``Admission`` makes the decisions. The thread sleeps in between.
final class AdmissionThread: Sendable {
  /// A command to the thread.
  enum Command: Sendable {
    /// A worker will be started; sent before it is.
    case willStart(UInt64)
    /// The worker was started as this process, or could not be started.
    case hasStarted(UInt64, as: Int32?)
    /// A worker has ended; sent before its process ID can be reused.
    case hasEnded(Int32)
    /// These keys are authorized from now on.
    case authorize(AuthorizedKeys)
    case end
  }

  private let mailbox: Mailbox<Command>
  private let record: Record

  /// The thread's counters, for other threads to read.
  private final class Record: Sendable {
    let tally = Mutex(Tally())
  }

  /// How many peers were admitted, and how many were refused.
  struct Tally: Equatable, Sendable {
    var admitted: UInt64 = 0
    var refused: [Admission.Reason: UInt64] = [:]
  }

  /// Takes the place of the context's authenticator and starts the thread.
  init(_ context: ZeroMQContext, _ admission: Admission, logger: Logger) throws {
    let mailbox = try Mailbox<Command>()
    let record = Record()
    // Handed over: starting a thread is a full fence, and this thread does not use it afterwards.
    nonisolated(unsafe) let authenticator = try Authenticator(context)
    self.mailbox = mailbox
    self.record = record
    OwnThread.start("admission") {
      var keeper = DoorKeeper(admission, authenticator, mailbox, logger) { change in
        record.tally.withLock { change(&$0) }
      }
      keeper.run()
    }
  }

  deinit { end() }

  /// The counts so far.
  var tally: Tally { record.tally.withLock { $0 } }

  /// Sends the thread a command; any thread may call it.
  func post(_ command: Command) { mailbox.post(command) }

  /// Ends the thread: no peer is admitted any more.
  func end() { mailbox.post(.end) }
}

/// The thread's own state.
private struct DoorKeeper {
  /// Connections that may wait for the end of a worker's start, which takes milliseconds. A start of all instances of a
  /// plugin makes 64 of them; any more come from other processes.
  static let waitingLimit = 256
  /// Requests taken before the mailbox is read again.
  static let questionsPerTurn = 64

  private struct Waiting {
    let ticket: Authenticator.Ticket
    let request: AuthenticationRequest
    let awaited: Set<UInt64>
  }

  private var admission: Admission
  private let authenticator: Authenticator
  private let mailbox: Mailbox<AdmissionThread.Command>
  private let logger: Logger
  private let note: ((inout AdmissionThread.Tally) -> Void) -> Void
  private let poller = Poller()
  private let questions: Poller.Registration
  private var waiting: [Waiting] = []
  private var refusals = RefusalLog()
  private var isEnding = false
  /// How many peers were admitted: the number of the last of them.
  private var admitted: UInt64 = 0

  init(
    _ admission: Admission, _ authenticator: Authenticator, _ mailbox: Mailbox<AdmissionThread.Command>,
    _ logger: Logger, _ note: @escaping ((inout AdmissionThread.Tally) -> Void) -> Void
  ) {
    self.admission = admission
    self.authenticator = authenticator
    self.mailbox = mailbox
    self.logger = logger
    self.note = note
    questions = poller.add(authenticator.socket)
    _ = poller.add(descriptor: mailbox.descriptor)
  }

  /// Runs until its end was requested.
  mutating func run() {
    do {
      while !isEnding, try poller.poll(timeout: nil) != .terminated { try turn() }
    } catch {
      // No new peer is admitted; existing connections stay.
      logger.critical("the admission thread has ended, so no new peer can connect: \(error); restart motiond")
    }
  }

  private mutating func turn() throws {
    var asked: [(Authenticator.Ticket, AuthenticationRequest)] = []
    if poller.isReadable(questions) {
      while asked.count < Self.questionsPerTurn, let question = try authenticator.next() { asked.append(question) }
    }
    // After the requests: the command that announces a worker's start was posted before the worker could connect, so it
    // is in the mailbox by now.
    for command in mailbox.take() { obey(command) }
    let former = waiting
    waiting = []
    for one in former { try decide(one.request, one.ticket, awaiting: one.awaited) }
    for (ticket, request) in asked { try decide(request, ticket, awaiting: nil) }
  }

  private mutating func obey(_ command: AdmissionThread.Command) {
    switch command {
    case .willStart(let number): admission.willStart(number)
    case .hasStarted(let number, let processID):
      admission.hasStarted(number, as: processID, at: processID.flatMap(ProcessStart.time))
    case .hasEnded(let processID): admission.hasEnded(processID)
    case .authorize(let keys): admission.keys = keys
    case .end: isEnding = true
    }
  }

  private mutating func decide(
    _ request: AuthenticationRequest, _ ticket: Authenticator.Ticket, awaiting awaited: Set<UInt64>?
  ) throws {
    let start = (request.localPeer?.processID).flatMap(ProcessStart.time)
    var verdict = admission.verdict(on: request, start: start, awaiting: awaited)
    if verdict == .wait, waiting.count >= Self.waitingLimit { verdict = .refuse(.tooManyWaiting) }
    switch verdict {
    case .admit(let peer):
      admitted += 1
      note { $0.admitted += 1 }
      try authenticator.answer(ticket, .admitted(as: PeerName(peer, serial: admitted)))
    case .refuse(let reason):
      note { $0.refused[reason, default: 0] += 1 }
      try authenticator.answer(ticket, .refused(reason.text))
      if let line = refusals.line(for: request, reason, at: BootClock.now) { logger.warning("\(line)") }
    case .wait:
      waiting.append(Waiting(ticket: ticket, request: request, awaited: awaited ?? admission.underWay))
    }
  }
}
