import LinuxSystem
import Logging
import MotionCore
import MotionModel
import MotionTestKit
import MotionWire
import Synchronization
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// The order of actions in a turn: the test takes the turns itself, from within a call, so that nothing else happens
/// between them.
struct TurnTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func coordinator() throws -> Coordinator {
    let settings = CoordinatorSettings(
      runtimeDirectory: "\(folder.path)/run", stateDirectory: "\(folder.path)/state", pluginPaths: [])
    return try Coordinator(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// A client that has sent this many requests and does not wait for answers.
  private func flood(_ requests: Int, of body: (Int) throws -> Envelope.Body) throws -> DealerSocket {
    let socket = try DealerSocket(ZeroMQContext())
    try socket.connect(.ipc(RuntimePaths(directory: "\(folder.path)/run").controlSocket))
    for request in 1...requests {
      let envelope = Envelope(epoch: 0, incarnation: 1, sequence: UInt64(request), sent: 1, try body(request))
      #expect(try socket.send(envelope.encoded()) == .sent)
    }
    return socket
  }

  /// The actions of each turn while a flood of requests is received that arrived all at once.
  ///
  /// - Parameter requests: how many; fewer than the queue of one client holds.
  private func turnsUnderFlood(
    of coordinator: Coordinator, whenDue: Bool, requests: Int = Sockets.controlQueue - 100,
    body: (Int) throws -> Envelope.Body = { _ in .alive }
  ) async throws -> [Taken] {
    let gate = Gate()
    async let turns = coordinator.takeTurns(untilHeard: requests, whenDue: whenDue, after: gate)
    while !gate.isReached.load(ordering: .acquiring) { await Task.yield() }
    let socket = try flood(requests, of: body)
    gate.isOpen.store(true, ordering: .releasing)
    let taken = await turns
    withExtendedLifetime(socket) {}
    return taken
  }

  // Clauses: S11.17
  @Test(.timeLimit(.minutes(1)))
  func `at most 32 requests are handled before a frame that is due`() async throws {
    let coordinator = try coordinator()
    await coordinator.start()
    try await coordinator.moveForEver()
    // However slow the machine is.
    await coordinator.awaitTimeout()
    let turns = try await turnsUnderFlood(of: coordinator, whenDue: true)
    #expect(turns.allSatisfy { $0.frames >= 1 && $0.requests <= EventLoop.messagesBeforeFrame })
    #expect(turns.contains { $0.requests == EventLoop.messagesBeforeFrame }, "there was no flood in \(turns)")
    await coordinator.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `fewer large requests are handled before a frame that is due`() async throws {
    let coordinator = try coordinator()
    await coordinator.start()
    try await coordinator.moveForEver()
    let turns = try await turnsUnderFlood(of: coordinator, whenDue: true, requests: 100) { request in
      var transaction = Transaction()
      for index in 0..<150 {
        transaction.add(.anchoredSpring("x", [Double(request)]), named: "pull", to: try TargetName("t\(index)"))
      }
      return .commit(Commit(transaction, id: TransactionID(high: 1, low: UInt64(request))))
    }
    #expect(turns.allSatisfy { $0.frames >= 1 && $0.requests < EventLoop.messagesBeforeFrame }, "\(turns)")
    #expect(turns.contains { $0.requests > 0 })
    await coordinator.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `more requests are handled in a turn while no frame is due`() async throws {
    let coordinator = try coordinator()
    await coordinator.start()
    let turns = try await turnsUnderFlood(of: coordinator, whenDue: false)
    #expect(turns.contains { $0.requests > EventLoop.messagesBeforeFrame }, "there was no flood in \(turns)")
    #expect(turns.allSatisfy { $0.requests <= EventLoop.messagesPerTurn })
    await coordinator.stop()
  }

  // Clauses: S11.3, S11.18
  @Test(.timeLimit(.minutes(1)))
  func `a frame after skipped ones counts as late as the first of them`() async throws {
    let coordinator = try coordinator()
    await coordinator.start()
    try await coordinator.moveForEver()
    let delay = await coordinator.delay(byPeriods: 30)
    #expect(delay.skipped >= 30 - UInt64(Limits.catchUpFrames), "\(delay)")
    // Skipped frames are no frames; each frame that ran is counted once, in both measures.
    #expect(delay.frames == Limits.catchUpFrames && delay.measured == delay.frames)
    // Except for the rounding of periods.
    #expect(delay.longest >= delay.waited - .microseconds(1), "\(delay)")
    #expect(delay.longest <= delay.waited + delay.took + .microseconds(1), "\(delay)")
    // One more is due then, so that even the last of them was more than a period late.
    #expect(delay.late == delay.frames, "\(delay)")
    await coordinator.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a suspension within a turn counts as a stall, also if nothing is late after it`() async throws {
    let coordinator = try coordinator()
    await coordinator.start()
    try await coordinator.moveForEver()
    #expect(await coordinator.stalls(in: .zero) == 0)
    #expect(await coordinator.stalls(in: EventLoop.stallLimit + .milliseconds(1)) == 1)
    await coordinator.stop()
  }
}

/// The point at which the coordinator's thread waits until a flood is sent.
private final class Gate: Sendable {
  let isReached = Atomic(false)
  let isOpen = Atomic(false)
}

/// The actions of one turn.
private struct Taken: Sendable {
  var requests: Int
  var frames: Int
}

/// The measures of a turn that was late.
private struct Delay: Sendable {
  /// How much later than the first due frame the turn began, and how long it took.
  var waited: Duration
  var took: Duration
  var frames: Int
  var measured: Int
  var late: Int
  var skipped: UInt64
  var longest: Duration
}

extension Coordinator {
  /// Adds a force that never ends, so that frames continue.
  fileprivate func moveForEver() throws {
    var transaction = Transaction()
    transaction.add(.constantForce("x", acceleration: [1]), to: "ball")
    try runtime.commit(transaction)
    wakeOrRest()
  }

  fileprivate func awaitTimeout() { loop.timeBeforeFrame = .seconds(60) }

  /// Takes turns until this many requests were received; each begins when a frame is due, or at any time.
  fileprivate func takeTurns(untilHeard count: Int, whenDue: Bool, after gate: Gate) -> [Taken] {
    var turns: [Taken] = []
    let first = clients.counters.requests
    gate.isReached.store(true, ordering: .releasing)
    while !gate.isOpen.load(ordering: .acquiring) {}
    while clients.counters.requests < first + UInt64(count) {
      if whenDue { while let due = clock.deadline, BootClock.now < due {} }
      let (requests, before) = (clients.counters.requests, frames.counters.frames)
      turn()
      turns.append(
        Taken(requests: Int(clients.counters.requests - requests), frames: Int(frames.counters.frames - before)))
    }
    return turns
  }

  /// The number of detected stalls when a turn is delayed by this pause before its frames and its other due work.
  fileprivate func stalls(in pause: Duration) -> UInt64 {
    turn()
    let (stalls, begin) = (loop.counters.stalls, BootClock.now)
    while BootClock.now < begin + pause {}
    handleDue(at: BootClock.now)
    turn()
    return loop.counters.stalls - stalls
  }

  /// Takes a turn this many periods after a frame was due.
  fileprivate func delay(byPeriods periods: Int) -> Delay {
    runFrames()
    let due = clock.deadline ?? .zero
    let (before, measured) = (frames.counters, frames.lateness.sinceStart.count)
    let skipped = clock.skipped
    while BootClock.now < due + clock.period * periods {}
    let begin = BootClock.now
    turn()
    return Delay(
      waited: begin - due, took: BootClock.now - begin, frames: Int(frames.counters.frames - before.frames),
      measured: Int(frames.lateness.sinceStart.count - measured),
      late: Int(frames.counters.lateFrames - before.lateFrames),
      skipped: clock.skipped - skipped, longest: .nanoseconds(frames.lateness.sinceStart.longest))
  }
}
