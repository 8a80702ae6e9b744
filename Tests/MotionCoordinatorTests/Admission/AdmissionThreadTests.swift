import Glibc
import LinuxSystem
import Logging
import MotionTestKit
import Synchronization
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// Real admissions: this process connects, as the started worker or as a stranger.
@Suite(.timeLimit(.minutes(1)))
struct AdmissionThreadTests {
  private let folder: TemporaryFolder
  private let admission: AdmissionThread
  private let router: RouterSocket
  private let context: ZeroMQContext
  private let guests: ZeroMQContext
  private let refusals: Refusals

  /// Posts each line of the thread's log to a mailbox: it is written when a refusal has been counted and answered.
  private struct Refusals: LogHandler {
    let mailbox: Mailbox<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { mailbox.post("\(event.message)") }
  }

  init() throws {
    folder = try TemporaryFolder()
    context = try ZeroMQContext()
    guests = try ZeroMQContext()
    let clients = AllowedClients(own: geteuid())
    let refusals = Refusals(mailbox: try Mailbox())
    self.refusals = refusals
    admission = try AdmissionThread(
      context, Admission(clients: clients), logger: Logger(label: "test") { _ in refusals })
    router = try RouterSocket(context, .zapDomain(AdmissionDomain.workers.rawValue))
    try router.bind(.ipc("\(folder.path)/link"))
  }

  /// This process, with the identity that the kernel reports.
  private let own = LocalPeer(userID: geteuid(), groupID: getegid(), processID: getpid())

  private func knock() throws -> DealerSocket {
    let guest = try DealerSocket(guests)
    try guest.connect(.ipc("\(folder.path)/link"))
    _ = try guest.send([1])
    return guest
  }

  /// Whether a message arrives within this time.
  private func isHeard(within time: Duration) throws -> PeerName? {
    let poller = Poller()
    _ = poller.add(router)
    _ = try poller.poll(timeout: time)
    return try router.receiveRouted().message?.1.sender
  }

  /// Waits for the first refusal for this reason, which is the one that is logged.
  private func awaitRefusal(_ reason: Admission.Reason) {
    while !refusals.mailbox.take().contains(where: { $0.contains(reason.text) }) { refusals.mailbox.wait() }
    #expect(admission.tally.refused == [reason: 1])
  }

  // Clauses: S16.2
  @Test func `a process that motiond has not started is refused and counted`() throws {
    let guest = try knock()
    awaitRefusal(.process)
    #expect(try isHeard(within: .milliseconds(50)) == nil)
    #expect(admission.tally.admitted == 0)
    withExtendedLifetime(guest) {}
  }

  // Clauses: S16.3
  @Test func `a process that connects before its start is known waits, and is admitted then`() throws {
    admission.post(.willStart(1))
    let guest = try knock()
    #expect(try isHeard(within: .milliseconds(100)) == nil)
    #expect(admission.tally == AdmissionThread.Tally())
    admission.post(.hasStarted(1, as: getpid()))
    #expect(try isHeard(within: .seconds(10)) == PeerName(.process(own), serial: 1))
    #expect(admission.tally.admitted == 1)
    // After its end is reported, it is a stranger.
    admission.post(.hasEnded(getpid()))
    let again = try knock()
    awaitRefusal(.process)
    withExtendedLifetime((guest, again)) {}
  }

  @Test func `a process that connects during the start of another is refused when that one is known`() throws {
    admission.post(.willStart(1))
    let guest = try knock()
    #expect(try isHeard(within: .milliseconds(100)) == nil)
    admission.post(.hasStarted(1, as: 1))
    awaitRefusal(.process)
    #expect(try isHeard(within: .milliseconds(50)) == nil)
    withExtendedLifetime(guest) {}
  }

  // Clauses: S16.3
  @Test func `a worker that connects immediately after its start is never refused`() throws {
    // Each process connects by itself, in a fraction of a millisecond, and sends the greeting of ZMTP 3.0 with its
    // READY, and one message when it has received ours.
    let processes = try WorkerProcesses(admission: admission)
    defer { processes.end() }
    let script = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
      s.sendall(b'\\xff' + bytes(8) + b'\\x7f\\x03\\x00NULL' + bytes(48))
      s.sendall(b'\\x04\\x1c\\x05READY\\x0bSocket-Type\\0\\0\\0\\x06DEALER')
      heard = b''
      while b'READY' not in heard:
          part = s.recv(100)
          if not part: sys.exit(1)
          heard += part
      s.sendall(b'\\0\\1x'); sys.stdin.read()
      """
    let started = Mutex<[WorkerProcess]>([])
    let count = 20
    for _ in 0..<count {
      let launch = WorkerProcess.Launch(
        executable: "/usr/bin/python3", arguments: ["-S", "-E", "-c", script, "\(folder.path)/link"], environment: [:],
        directory: "/")
      let process = WorkerProcess(launch, on: processes) { _ in }
      started.withLock { $0.append(process) }
    }
    var heard: Set<PeerName> = []
    while heard.count < count, let sender = try isHeard(within: .seconds(10)) { heard.insert(sender) }
    #expect(heard.count == count)
    #expect(Set(heard.map(\.serial)) == Set(1...UInt64(count)))
    #expect(admission.tally.refused == [:])
    started.withLock { for process in $0 { process.release() } }
  }
}
