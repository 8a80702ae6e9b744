import Glibc
import LinuxSystem
import MotionModel
import Synchronization
import ZeroMQ

/// Serves metrics over HTTP, on a thread of its own that sleeps while there are no requests.
///
/// The loop makes a snapshot at most ten times in a second, however many requests come, and does not format it: scraping
/// costs the loop some 20 µs after its frames. A slow or malformed request occupies one of a few connections
/// for a few seconds and nothing else.
final class MetricsServer: Sendable {
  /// Connections at a time: a Prometheus or two and a person who looks. Others wait in the kernel's backlog, so that
  /// descriptors cannot run out (without any, libzmq would end the program).
  static let connections = 8
  /// The maximum age of the metrics: no reader needs them more often than ten times in a second.
  static let freshness = Duration.milliseconds(100)
  /// How long no connection is accepted after a failure, such as a lack of descriptors: an immediate retry would fail
  /// at once.
  static let acceptPause = Duration.seconds(1)

  /// Readable while a snapshot is requested from the loop.
  let questions: Mailbox<Void>
  private let answers: Mailbox<MetricsSnapshot?>

  /// Listens, and begins to serve.
  ///
  /// - Throws: ``StartError`` when the address cannot be used.
  init(_ address: MetricsAddress) throws {
    questions = try Mailbox()
    answers = try Mailbox()
    let listener = try MetricsListener(address)
    OwnThread.start("metrics") { [questions, answers] in
      var desk = MetricsDesk(listener, questions: questions, answers: answers)
      while desk.turn() {}
    }
  }

  /// Posts the requested snapshot; called by the loop.
  func answer(_ snapshot: MetricsSnapshot) { answers.post(snapshot) }

  /// Ends the thread, which closes its connections.
  func end() { answers.post(nil) }
}

/// The state of the metrics thread: the listener and a few conversations.
struct MetricsDesk: ~Copyable {
  private struct Connection {
    let descriptor: Int32
    var conversation: MetricsConversation
    var readiness: Int16 = 0
  }

  private let listener: MetricsListener
  private let questions: Mailbox<Void>
  private let answers: Mailbox<MetricsSnapshot?>
  private var connections: [Connection] = []
  /// Whether a request to the loop is unanswered.
  private var isAsking = false
  private var text = ""
  private var textTime: Duration?
  private var acceptsAgain = Duration.zero

  init(_ listener: MetricsListener, questions: Mailbox<Void>, answers: Mailbox<MetricsSnapshot?>) {
    self.listener = listener
    self.questions = questions
    self.answers = answers
  }

  deinit {
    for connection in connections { close(connection.descriptor) }
  }

  /// Waits for the next event and handles it.
  ///
  /// - Returns: whether there will be another turn.
  mutating func turn() -> Bool {
    let (listens, hasAnswers) = wait()
    let now = BootClock.now
    if hasAnswers {
      for answer in answers.take() {
        guard let answer else { return false }
        isAsking = false
        var snapshot = answer
        // Read from the kernel on this thread, so that the loop does not pay for it.
        snapshot.status.load = .ofThisProcess
        (text, textTime) = (MetricsText(snapshot).text, now)
        for index in connections.indices { connections[index].conversation.learned(text) }
      }
    }
    for index in connections.indices { Self.converse(&connections[index], at: now) }
    if listens { acceptAll(at: now) }
    ask(at: now)
    // Answers that are ready are sent at once.
    for index in connections.indices { Self.write(&connections[index]) }
    connections.removeAll { connection in
      guard connection.conversation.state == .over else { return false }
      close(connection.descriptor)
      return true
    }
    return true
  }

  /// Waits until something can be done.
  private mutating func wait() -> (listens: Bool, hasAnswers: Bool) {
    let now = BootClock.now
    let accepts = connections.count < MetricsServer.connections && now >= acceptsAgain
    var entries = [
      pollfd(fd: answers.descriptor, events: Int16(POLLIN), revents: 0),
      // `poll` skips an entry with a negative descriptor.
      pollfd(fd: accepts ? listener.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    var next: Duration? = now < acceptsAgain ? acceptsAgain : nil
    for connection in connections {
      let events: Int32 =
        switch connection.conversation.state {
        case .reading, .listening: POLLIN
        case .writing: POLLOUT
        case .asking, .over: 0
        }
      entries.append(pollfd(fd: connection.descriptor, events: Int16(events), revents: 0))
      next = min(next ?? connection.conversation.deadline, connection.conversation.deadline)
    }
    // Rounded up, so that the last part of a millisecond causes no busy loop.
    let rest = next.map { Int32(clamping: Int(max(0, ($0 - now) / .milliseconds(1))) + 1) }
    poll(&entries, nfds_t(entries.count), rest ?? -1)
    for index in connections.indices { connections[index].readiness = entries[index + 2].revents }
    return (entries[1].revents != 0, entries[0].revents != 0)
  }

  private static func converse(_ connection: inout Connection, at now: Duration) {
    let readiness = Int32(connection.readiness)
    switch connection.conversation.state {
    case .reading, .listening:
      if readiness != 0 { read(&connection) }
    case .asking:
      if readiness & (POLLERR | POLLHUP) != 0 { connection.conversation.failed() }
    case .writing, .over: break
    }
    connection.conversation.deadline(at: now)
  }

  private static func read(_ connection: inout Connection) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(connection.descriptor, &bytes, bytes.count, 0)
    if count >= 0 { return connection.conversation.received(bytes.prefix(count)) }
    if errno != EAGAIN && errno != EINTR { connection.conversation.failed() }
  }

  private static func write(_ connection: inout Connection) {
    guard case .writing(let from) = connection.conversation.state else { return }
    let rest = connection.conversation.answer[from...]
    let count = rest.withUnsafeBytes { send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    if count >= 0 {
      connection.conversation.wrote(count)
      if connection.conversation.state == .listening { shutdown(connection.descriptor, Int32(SHUT_WR)) }
    } else if errno != EAGAIN && errno != EINTR {
      connection.conversation.failed()
    }
  }

  private mutating func acceptAll(at now: Duration) {
    while connections.count < MetricsServer.connections {
      guard let descriptor = listener.accept() else {
        // ECONNABORTED too: it means that there was no room for a peer, which may still wait.
        if errno != EAGAIN && errno != EINTR { acceptsAgain = now + MetricsServer.acceptPause }
        return
      }
      var connection = Connection(descriptor: descriptor, conversation: MetricsConversation(at: now))
      Self.read(&connection)
      connections.append(connection)
    }
  }

  /// Answers requests from a fresh text, or sends a request to the loop.
  private mutating func ask(at now: Duration) {
    let isFresh = textTime.map { now - $0 < MetricsServer.freshness } ?? false
    var needs = false
    for index in connections.indices {
      guard case .asking = connections[index].conversation.state else { continue }
      if isFresh { connections[index].conversation.learned(text) } else { needs = true }
    }
    guard needs, !isAsking else { return }
    isAsking = true
    questions.post(())
  }
}
