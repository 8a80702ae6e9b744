import Glibc
import LinuxSystem
import Synchronization
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(2)))
struct PollerTests {
  @Test func `sockets and descriptors are polled together`() throws {
    let bench = try Bench()
    let (publisher, subscriber) = try bench.pair(.ipc)
    let counter = try EventCounter()
    let timer = try BootTimer()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }

    let poller = Poller()
    let socketSource = poller.add(subscriber)
    let counterSource = poller.add(descriptor: counter.descriptor)
    let timerSource = poller.add(descriptor: timer.descriptor)
    let pipeSource = poller.add(descriptor: ends[0])
    let all = [socketSource, counterSource, timerSource, pipeSource]
    #expect(try poller.poll(timeout: .zero) == .timedOut)
    #expect(all.allSatisfy { !poller.isReadable($0) })

    func expectOnly(_ source: Poller.Registration) throws {
      #expect(try poller.poll(timeout: timeout) == .ready(1))
      #expect(all.filter { poller.isReadable($0) } == [source])
    }
    #expect(try publisher.send([1]) == .sent)
    try expectOnly(socketSource)
    #expect(try subscriber.awaitOne().bytes == [1])
    counter.signal()
    try expectOnly(counterSource)
    counter.drain()
    timer.arm(at: BootClock.now + .milliseconds(2))
    try expectOnly(timerSource)
    timer.acknowledge()
    try #require(write(ends[1], "x", 1) == 1)
    try expectOnly(pipeSource)
    poller.remove(pipeSource)
    #expect(try poller.poll(timeout: .zero) == .timedOut)
  }

  @Test func `a closed pipe is readable`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let poller = Poller()
    let source = poller.add(descriptor: ends[0])
    close(ends[1])
    #expect(try poller.poll(timeout: timeout) == .ready(1))
    #expect(poller.isReadable(source))
  }

  @Test func `a socket is writable when its peer is connected`() throws {
    let bench = try Bench()
    let bound = try PairSocket(bench.context)
    let poller = Poller()
    let source = poller.add(bound, .writable)
    let endpoint = try bench.bind(bound, .tcp)
    #expect(try poller.poll(timeout: .zero) == .timedOut)
    let other = try PairSocket(bench.context)
    try other.connect(endpoint)
    #expect(try poller.poll(timeout: timeout) == .ready(1))
    #expect(poller.isWritable(source))
    poller.modify(source, .readable)
    #expect(try poller.poll(timeout: .zero) == .timedOut)
  }

  @Test func aTimeoutIsNeverShorterThanAsked() throws {
    let poller = Poller()
    let counter = try EventCounter()
    _ = poller.add(descriptor: counter.descriptor)
    for timeout in [Duration.nanoseconds(1), .microseconds(300), .microseconds(1500)] {
      let start = BootClock.now
      #expect(try poller.poll(timeout: timeout) == .timedOut)
      #expect(BootClock.now - start >= timeout)
    }
  }

  @Test func `an extreme timeout does not trap`() throws {
    let poller = Poller()
    let counter = try EventCounter()
    _ = poller.add(descriptor: counter.descriptor)
    #expect(try poller.poll(timeout: .seconds(Int64.min / 2)) == .timedOut)
    counter.signal()
    #expect(try poller.poll(timeout: .seconds(Int64.max / 2)) == .ready(1))
  }

  @Test func aWaitEndsWhenTheContextIsShutDown() throws {
    let bench = try Bench()
    let context = bench.context
    let ready = try EventCounter()
    let outcomes = Mutex<[Poller.Outcome]>([])
    let thread = try TestThread {
      let socket = try SubscribeSocket(context)
      let poller = Poller()
      _ = poller.add(socket)
      ready.signal()
      let outcome = try poller.poll(timeout: timeout)
      outcomes.withLock { $0.append(outcome) }
      guard case .terminated = try socket.receiveOne() else { throw WaitTimeout(description: "received on") }
    }
    try awaitSignal(ready)
    context.shutdown()
    try thread.join()
    #expect(outcomes.withLock { $0 } == [.terminated])
    #expect(throws: ZeroMQError.self) { try SubscribeSocket(context) }
  }

  @Test func aWaitIsInterruptedByASignal() throws {
    installQuietHandler()
    let ready = try EventCounter()
    let outcomes = Mutex<[Poller.Outcome]>([])
    let bench = try Bench()
    let context = bench.context
    let thread = try TestThread {
      // The threads that run tests block signals, and a thread that they start inherits that.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGUSR2)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      let socket = try SubscribeSocket(context)
      let poller = Poller()
      _ = poller.add(socket)
      ready.signal()
      let outcome = try poller.poll(timeout: timeout)
      outcomes.withLock { $0.append(outcome) }
    }
    try awaitSignal(ready)
    // A signal that arrives before the wait has begun interrupts nothing, so it is sent until it has.
    while outcomes.withLock({ $0.isEmpty }) {
      pthread_kill(thread.handle, SIGUSR2)
      sched_yield()
    }
    try thread.join()
    #expect(outcomes.withLock { $0 } == [.interrupted])
  }

  @Test func `an ended poll reports no readiness of the one before`() throws {
    let bench = try Bench()
    let (publisher, subscriber) = try bench.pair(.inproc)
    let counter = try EventCounter()
    let poller = Poller()
    let source = poller.add(subscriber)
    let counterSource = poller.add(descriptor: counter.descriptor)
    #expect(try publisher.send([1]) == .sent)
    counter.signal()
    #expect(try poller.poll(timeout: timeout) == .ready(2))
    bench.context.shutdown()
    #expect(try poller.poll(timeout: timeout) == .terminated)
    #expect(!poller.isReadable(source))
    #expect(!poller.isReadable(counterSource))
  }

  @Test func `a subscription read during a send is still reported by the poll`() throws {
    let bench = try Bench()
    let publisher = try PublishSocket(bench.context, .reportsAllSubscriptions(true))
    let endpoint = try bench.bind(publisher, .ipc)
    let poller = Poller()
    let source = poller.add(publisher)
    #expect(try poller.poll(timeout: .zero) == .timedOut)
    let subscriber = try SubscribeSocket(bench.context)
    try subscriber.connect(endpoint)
    try subscriber.subscribe([1])
    // A message at the subscriber shows that a send has read the subscription, and with it cleared its signal.
    let end = BootClock.now + timeout
    while try subscriber.receiveOne().message == nil {
      try #require(BootClock.now < end)
      #expect(try publisher.send([1]) == .sent)
    }
    #expect(try poller.poll(timeout: .zero) == .ready(1))
    #expect(poller.isReadable(source))
    #expect(try publisher.receiveSubscription().message == .subscribed([1]))
    #expect(try publisher.receiveSubscription().message == nil)
    #expect(try poller.poll(timeout: .zero) == .timedOut)
  }

  @Test func aSocketIsReadyUntilAllIsReceived() throws {
    let bench = try Bench()
    let (publisher, subscriber) = try bench.pair(.inproc)
    let poller = Poller()
    _ = poller.add(subscriber)
    for byte in [1, 2, 3] as [UInt8] { #expect(try publisher.send([byte]) == .sent) }
    for byte in [1, 2, 3] as [UInt8] {
      #expect(try poller.poll(timeout: timeout) == .ready(1))
      #expect(try subscriber.receiveOne().message?.bytes == [byte])
    }
    #expect(try poller.poll(timeout: .zero) == .timedOut)
  }

  @Test func aWatchedSocketStaysOpen() throws {
    let bench = try Bench()
    let poller = Poller()
    weak var watched: SubscribeSocket?
    var source: Poller.Registration?
    do {
      let socket = try SubscribeSocket(bench.context)
      watched = socket
      source = poller.add(socket)
    }
    #expect(watched != nil)
    #expect(try poller.poll(timeout: .zero) == .timedOut)
    if let source { poller.remove(source) }
    #expect(watched == nil)
  }

  private func awaitSignal(_ counter: EventCounter) throws {
    let poller = Poller()
    _ = poller.add(descriptor: counter.descriptor)
    #expect(try poller.poll(timeout: timeout) == .ready(1))
  }

  /// A handler without an effect, so that the signal interrupts instead of killing; without SA_RESTART.
  private func installQuietHandler() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGUSR2, &action, nil)
  }
}
