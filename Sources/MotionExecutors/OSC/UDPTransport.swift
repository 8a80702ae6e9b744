import Glibc
import LinuxSystem
import Synchronization

/// The transport for the OSC executors of a process: datagrams through one non-blocking socket for each receiver.
///
/// While lines are open, a thread polls for errors of unreachable receivers and resends the messages that they missed,
/// and those that show that the sender lives. So a value that no longer changes reaches a receiver that starts later,
/// and no frames are needed for it. Names are
/// looked up on separate threads, at most ``HostLookupQueue/mostThreads``.
final class UDPTransport: OSCTransport, Sendable {
  private let report: @Sendable (String) -> Void
  private let resolve: @Sendable (String) -> HostAnswer
  /// Wakes the polling thread; `nil` if the system had no descriptor for it, and then that thread wakes by its
  /// deadlines alone.
  private let changes = try? EventCounter()
  private let office = Mutex(Office())

  private struct Office {
    var post = UDPPost()
    var isWatched = false
  }

  /// A transport without lines.
  ///
  /// - Parameters:
  ///   - report: gets a line when a receiver is not found or unreachable, and when it is reachable again; on any
  ///     thread.
  ///   - resolve: looks up the name of a host, on a thread that may block.
  init(
    report: @escaping @Sendable (String) -> Void,
    resolve: @escaping @Sendable (String) -> HostAnswer = { HostAnswer(asking: $0) }
  ) {
    self.report = report
    self.resolve = resolve
  }

  /// The present time.
  var now: OSCMoment { .now }

  func open(to place: OSCPlace, keepAlive: Double? = nil) -> OSCLine {
    let (line, errands, startsWatch) = office.withLock { office in
      let (line, errands) = office.post.open(to: place, keepAlive: keepAlive, at: OSCMoment.now.seconds)
      defer { office.isWatched = true }
      return (line, errands, !office.isWatched)
    }
    run(errands)
    if startsWatch { startWatch() }
    return line
  }

  func close(_ line: OSCLine) { run(office.withLock { $0.post.close(line) }) }

  func forget(_ line: OSCLine) { office.withLock { $0.post.forget(line) } }

  func whereabouts(of place: OSCPlace) -> OSCWhereabouts {
    let now = OSCMoment.now.seconds
    return office.withLock { $0.post.whereabouts(of: place, at: now) }
  }

  func lastRepeat(on line: OSCLine) -> Double? { office.withLock { $0.post.lastRepeat(on: line) } }

  func send(_ words: [OSCWords], to place: OSCPlace, at moment: OSCMoment) {
    run(office.withLock { $0.post.send(words, to: place, at: moment) })
  }

  private func run(_ errands: UDPPost.Errands) {
    for line in errands.reports { report(line) }
    for _ in 0..<errands.lookupThreads { startLookups() }
    if errands.isChanged { changes?.signal() }
  }

  // MARK: Threads

  private func startLookups() {
    let status = OwnThread.begin("osc lookup") { [self] in lookUp() }
    guard status != 0 else { return }
    // Without a thread there is no answer, and the next attempt comes as late as after an answer.
    let answer = HostAnswer.silence(String(cString: strerror(status)))
    while let host = office.withLock({ $0.post.lookups.next() }) {
      run(office.withLock { $0.post.answered(answer, for: host, at: .now) })
    }
  }

  /// Looks up names until the queue is empty.
  private func lookUp() {
    while let host = office.withLock({ $0.post.lookups.next() }) {
      let answer = resolve(host)
      run(office.withLock { $0.post.answered(answer, for: host, at: .now) })
    }
  }

  private func startWatch() {
    let status = OwnThread.begin("osc watch") { [self] in while watch() {} }
    guard status != 0 else { return }
    office.withLock { $0.isWatched = false }
    report("OSC: the worker cannot detect unreachable receivers: \(String(cString: strerror(status)))")
  }

  /// Waits for an error, a deadline or a change, and performs what is due; returns false when no line is open.
  private func watch() -> Bool {
    let (descriptors, deadline) = office.withLock { ($0.post.descriptors, $0.post.nextDeadline) }
    var polled = [pollfd(fd: changes?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)]
    // `poll` reports errors in any case.
    polled += descriptors.map { pollfd(fd: $0, events: 0, revents: 0) }
    // Rounded up, so that the deadline has passed when `poll` returns.
    let wait = deadline.isFinite ? Int32(max(0, min(deadline - OSCMoment.now.seconds, 60) * 1000).rounded(.up)) : -1
    poll(&polled, nfds_t(polled.count), wait)
    changes?.drain()
    let failed = Set(polled.dropFirst().lazy.filter { $0.revents != 0 }.map(\.fd))
    let (errands, goesOn) = office.withLock { office in
      let errands = office.post.turn(at: .now, failed: failed)
      office.isWatched = !office.post.isEmpty
      return (errands, office.isWatched)
    }
    run(errands)
    return goesOn
  }
}
