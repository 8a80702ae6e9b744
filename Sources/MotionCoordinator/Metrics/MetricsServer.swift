import Glibc
import LinuxSystem
import MotionModel
import Synchronization
import ZeroMQ

/// Gives metrics to whoever asks by HTTP, on a thread of its own that sleeps while nobody does.
///
/// The loop is asked for numbers at most ten times in a second, however often others ask, and makes no text of them:
/// scraping costs it some 20 µs behind its frames. Whoever is slow, or talks nonsense, occupies one of a few connections
/// for a few seconds and nothing else.
final class MetricsServer: Sendable {
  /// Connections at a time: a Prometheus or two and somebody who looks. Others wait with the kernel, so that descriptors
  /// cannot run out (without any, libzmq would end the program).
  static let connections = 8
  /// How old what is told may be: more often than ten times in a second nobody needs it.
  static let freshness = Duration.milliseconds(100)
  /// How long nobody is accepted after that has failed, for want of descriptors say: asking again at once would fail
  /// again at once.
  static let acceptPause = Duration.seconds(1)

  /// Readable while the loop is asked how it is.
  let questions: Mailbox<Void>
  private let answers: Mailbox<MetricsSnapshot?>

  /// Listens, and begins to serve.
  ///
  /// - Throws: ``StartError`` when the place is not to be had.
  init(_ address: MetricsAddress) throws {
    questions = try Mailbox()
    answers = try Mailbox()
    let listener = try MetricsListener(address)
    OwnThread.start("metrics") { [questions, answers] in
      var desk = MetricsDesk(listener, questions: questions, answers: answers)
      while desk.turn() {}
    }
  }

  /// Answers a question; the loop's call.
  func answer(_ snapshot: MetricsSnapshot) { answers.post(snapshot) }

  /// Lets the thread end, and close what is open.
  func end() { answers.post(nil) }
}

/// What the thread of metrics has before it: the listener and a few conversations.
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
  /// Whether the loop was asked and has not answered.
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

  /// Waits for what comes next and does it.
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
        // A look at the kernel's books, which is not the loop's to take.
        snapshot.status.load = .ofThisProcess
        (text, textTime) = (MetricsText(snapshot).text, now)
        for index in connections.indices { connections[index].conversation.learned(text) }
      }
    }
    for index in connections.indices { Self.converse(&connections[index], at: now) }
    if listens { acceptAll(at: now) }
    ask(at: now)
    // What can be said at once is said at once.
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
      // One with a negative descriptor is passed over.
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
    // Rounded up, so that it is not asked again and again for the last part of a millisecond.
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
        // ECONNABORTED too: it says that there was no room for somebody, who may wait still.
        if errno != EAGAIN && errno != EINTR { acceptsAgain = now + MetricsServer.acceptPause }
        return
      }
      var connection = Connection(descriptor: descriptor, conversation: MetricsConversation(at: now))
      Self.read(&connection)
      connections.append(connection)
    }
  }

  /// Gives what is fresh to those who ask, or asks the loop.
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
