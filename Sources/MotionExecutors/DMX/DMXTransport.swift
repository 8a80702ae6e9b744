import Glibc
import LinuxSystem
import MotionModel
import Synchronization

/// What a DMX executor sends by.
protocol DMXTransporting: AnyObject {
  /// Begins to send a patch.
  ///
  /// - Returns: its line, or the universe that another patch sends.
  func open(_ patch: DMXPatch, _ levels: [[UInt8]]) -> Result<DMXPost.Line, DMXPost.Taken>
  /// Takes over the levels of universes, by their places in the patch.
  func show(_ line: DMXPost.Line, _ levels: [(universe: Int, levels: [UInt8])])
  /// Ends a patch.
  func close(_ line: DMXPost.Line)
  /// Sends a patch on for some seconds, for who opens it again.
  func leave(_ line: DMXPost.Line)
}

/// Sends the patches of a process. A thread sends what is due; no call blocks.
final class DMXTransport: DMXTransporting, Sendable {
  private struct Office {
    var post = DMXPost()
    var isWatched = false
    /// When the thread wakes at the latest.
    var waking = -Double.infinity

    /// Whether the thread has to be woken to be in time.
    var isLate: Bool { post.nextDeadline < waking }
  }

  private let report: @Sendable (String) -> Void
  private let resolve: @Sendable (String) -> HostAnswer
  private let identity: [UInt8]
  private let name: String
  private let changes = try? EventCounter()
  private let office = Mutex(Office())
  /// Held while packets are sent, so that who shows levels does not wait for the network. Taken before ``office``.
  private let courier = Mutex(DMXCourier())

  /// A transport without patches.
  ///
  /// - Parameters:
  ///   - identity: the identity of patches that state none, 16 bytes.
  ///   - name: the name of patches that state none.
  ///   - report: gets a line when a receiver is not found or unreachable, and when it is reachable again; on any thread.
  ///   - resolve: looks up the name of a host, on a thread that may block.
  init(
    identity: [UInt8], name: String, report: @escaping @Sendable (String) -> Void,
    resolve: @escaping @Sendable (String) -> HostAnswer = { HostAnswer(asking: $0) }
  ) {
    self.identity = identity
    self.name = name
    self.report = report
    self.resolve = resolve
  }

  func open(_ patch: DMXPatch, _ levels: [[UInt8]]) -> Result<DMXPost.Line, DMXPost.Taken> {
    let source = SACNPacket.Source(identity: patch.identity ?? identity, name: patch.source ?? name)
    let (result, startsWatch) = office.withLock { office in
      let result = office.post.open(patch, from: source, levels)
      defer { office.isWatched = true }
      return (result, !office.isWatched)
    }
    if startsWatch { startWatch() } else { changes?.signal() }
    return result
  }

  func show(_ line: DMXPost.Line, _ levels: [(universe: Int, levels: [UInt8])]) {
    let isLate = office.withLock { office in
      for (universe, levels) in levels { office.post.show(line, universe: universe, levels) }
      return office.isLate
    }
    if isLate { changes?.signal() }
  }

  func close(_ line: DMXPost.Line) {
    office.withLock { $0.post.close(line, at: Self.now) }
    changes?.signal()
  }

  func leave(_ line: DMXPost.Line) {
    office.withLock { $0.post.leave(line, at: Self.now) }
    changes?.signal()
  }

  /// Ends all streams at once, because the process ends.
  func end() {
    courier.withLock { courier in
      let packets = office.withLock { $0.post.endAll() }
      _ = courier.send(packets, at: Self.now)
    }
  }

  private static var now: Double { Double(BootClock.nanoseconds) / 1e9 }

  // MARK: Threads

  private func startWatch() {
    let status = OwnThread.begin("dmx") { [self] in
      // Without a descriptor for it, what is due is up to a millisecond late.
      let timer = try? BootTimer()
      var ready: Set<Int32>? = []
      while let found = ready { ready = turn(timer, found) }
    }
    guard status != 0 else { return }
    office.withLock { $0.isWatched = false }
    report("DMX: nothing can be sent: \(String(cString: strerror(status)))")
  }

  /// Sends what is due and waits for the next.
  ///
  /// - Parameter ready: the descriptors at which something has arrived.
  /// - Returns: those of the next turn; `nil` when there is nothing left to send.
  private func turn(_ timer: BootTimer?, _ ready: Set<Int32>) -> Set<Int32>? {
    let now = Self.now
    let (errands, sockets, deadline) = courier.withLock { courier in
      var errands = courier.receive(from: name, at: now, ready: ready)
      let (packets, deadline) = office.withLock { office in
        let packets = office.post.turn(at: now)
        office.isWatched = !office.post.isEmpty
        office.waking = office.post.nextDeadline
        return (packets, office.isWatched ? office.waking : nil)
      }
      let sent = courier.send(packets, at: now)
      errands.reports += sent.reports
      errands.lookupThreads += sent.lookupThreads
      return (errands, courier.polled, deadline)
    }
    run(errands)
    guard let deadline else { return nil }
    var polled = sockets
    polled.append(pollfd(fd: changes?.descriptor ?? -1, events: Int16(POLLIN), revents: 0))
    if let timer {
      polled.append(pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0))
      timer.arm(at: deadline.isFinite ? .seconds(deadline) : nil)
    }
    let wait = max(0, min(deadline - Self.now, 60))
    poll(&polled, nfds_t(polled.count), timer == nil ? Int32((wait * 1000).rounded(.up)) : -1)
    timer?.acknowledge()
    changes?.drain()
    return Set(polled.prefix(sockets.count).lazy.filter { $0.revents != 0 }.map(\.fd))
  }

  private func run(_ errands: DMXCourier.Errands) {
    for line in errands.reports { report(line) }
    for _ in 0..<errands.lookupThreads {
      let status = OwnThread.begin("dmx lookup") { [self] in lookUp(by: resolve) }
      if status != 0 { lookUp { _ in .silence(String(cString: strerror(status))) } }
    }
  }

  /// Looks up names until the queue is empty.
  private func lookUp(by resolve: (String) -> HostAnswer) {
    while let host = courier.withLock({ $0.lookups.next() }) {
      let answer = resolve(host)
      run(courier.withLock { $0.answered(answer, for: host, at: Self.now) })
      changes?.signal()
    }
  }
}
