import Glibc
import LinuxSystem
import Synchronization

/// The way out for OSC executors of a process: datagrams through a socket for each receiver, which never wait.
///
/// While lines are open, a thread waits for what comes back from receivers that are not there, and resends what they
/// missed; so a value that rests reaches a receiver that comes later, and nobody needs frames for it. Names are looked up
/// on threads of their own, at most ``HostLookupQueue/mostThreads``.
final class UDPTransport: OSCTransport, Sendable {
  private let report: @Sendable (String) -> Void
  private let resolve: @Sendable (String) -> HostAnswer
  /// Wakes the thread that watches; `nil` if the system had no descriptor for it, and then that thread wakes by its deadlines alone.
  private let changes = try? EventCounter()
  private let office = Mutex(Office())

  private struct Office {
    var post = UDPPost()
    var isWatched = false
  }

  /// Nothing is opened yet.
  ///
  /// - Parameters:
  ///   - report: gets a line when a receiver is not found or not there, and when it is again; on any thread.
  ///   - resolve: looks up the name of a host, on a thread that may wait.
  init(
    report: @escaping @Sendable (String) -> Void,
    resolve: @escaping @Sendable (String) -> HostAnswer = { HostAnswer(asking: $0) }
  ) {
    self.report = report
    self.resolve = resolve
  }

  /// The present time.
  var now: OSCMoment { .now }

  func open(to place: OSCPlace) -> OSCLine {
    let (line, errands, startsWatch) = office.withLock { office in
      let (line, errands) = office.post.open(to: place, at: OSCMoment.now.seconds)
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
    // Without a thread there is no answer, and the next try is as far off as after one.
    let answer = HostAnswer.silence(String(cString: strerror(status)))
    while let host = office.withLock({ $0.post.lookups.next() }) {
      run(office.withLock { $0.post.answered(answer, for: host, at: .now) })
    }
  }

  /// Looks up names until there is none to look up.
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
    report("OSC: nobody watches whether receivers are there: \(String(cString: strerror(status)))")
  }

  /// Waits until something comes back, is due, or is changed, and does what is to be done; false when no line is open.
  private func watch() -> Bool {
    let (descriptors, deadline) = office.withLock { ($0.post.descriptors, $0.post.nextDeadline) }
    var polled = [pollfd(fd: changes?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)]
    // Errors are told without being asked for.
    polled += descriptors.map { pollfd(fd: $0, events: 0, revents: 0) }
    // Rounded up, so that it is due when the time is over.
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
