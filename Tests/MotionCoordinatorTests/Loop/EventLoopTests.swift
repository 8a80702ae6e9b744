import LinuxSystem
import Logging
import Testing

@testable import MotionCoordinator
@testable import ZeroMQ

struct EventLoopTests {
  private let jobs: EventCounter
  private let loop: EventLoop

  init() throws {
    jobs = try EventCounter()
    loop = try EventLoop(
      on: LinuxMachine(), jobs: jobs.descriptor, environment: [:],
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private func turn() -> Duration? {
    guard case .turn(let now, _) = loop.wait(isHurried: true) else { return nil }
    return now
  }

  @Test func `the order of handlers is workers, clients, maintenance, frames`() {
    let order = EventLoop.Handler.order
    let handlers: [EventLoop.Handler] = [
      .processEvents, .exits, .largeRequests, .valueSubscriptions, .workers, .stop, .frames, .answers, .watchdog,
    ]
    #expect(handlers.compactMap(order.firstIndex).count == handlers.count)
    #expect(handlers.compactMap(order.firstIndex) == handlers.compactMap(order.firstIndex).sorted())
    #expect(order.last == .watchdog, "a hang anywhere stops the heartbeat")
  }

  @Test func `a handler is called while its descriptor is readable, until it is removed`() throws {
    let counter = try EventCounter()
    loop.add(counter.descriptor, for: .journal)
    _ = turn()
    #expect(!loop.isReady(.journal) && !loop.isReady(.recording))
    counter.signal()
    #expect(!loop.isReady(.journal), "only a poll finds it")
    _ = turn()
    #expect(loop.isReady(.journal))
    loop.remove(.journal)
    loop.remove(.journal)
    _ = turn()
    #expect(!loop.isReady(.journal) && loop.counters.turns == 3)
  }

  @Test(.timeLimit(.minutes(1)))
  func `each timer wakes the loop and is counted`() {
    let now = BootClock.now
    loop.arm(forFrame: now, deadline: nil)
    guard case .turn = loop.wait(isHurried: false) else { return #expect(Bool(false)) }
    #expect(loop.counters.frameWakeUps == 1 && loop.counters.maintenanceWakeUps == 0)
    loop.arm(forFrame: nil, deadline: now)
    guard case .turn = loop.wait(isHurried: false) else { return #expect(Bool(false)) }
    #expect(loop.counters.frameWakeUps == 1 && loop.counters.maintenanceWakeUps == 1)
  }

  @Test func `a turn that comes late by more than the limit is a stall`() {
    loop.arm(forFrame: nil, deadline: BootClock.now - EventLoop.stallLimit - .milliseconds(1))
    guard case .turn(_, let wasStalled) = loop.wait(isHurried: true) else { return #expect(Bool(false)) }
    #expect(wasStalled && loop.counters.stalls == 1)
    loop.arm(forFrame: nil, deadline: nil)
    guard case .turn(_, let isStalled) = loop.wait(isHurried: true) else { return #expect(Bool(false)) }
    #expect(!isStalled && loop.counters.stalls == 1)
  }

  // MARK: Draining

  /// How many messages of so many are taken in a turn.
  private func drained(of count: Int, yieldingAt due: () -> Duration? = { nil }) throws -> Int {
    let counter = try EventCounter()
    loop.remove(.requests)
    loop.add(counter.descriptor, for: .requests)
    counter.signal()
    _ = turn()
    var (left, taken) = (count, 0)
    func receive() -> ReceiveOutcome<Int> {
      guard left > 0 else { return .wouldBlock }
      left -= 1
      return .message(left)
    }
    loop.drain(.requests, yieldingAt: due, receive) { _ in taken += 1 }
    return taken
  }

  @Test func `a turn takes a limited number of messages, and fewer if a frame is due`() throws {
    #expect(try drained(of: 10_000) == EventLoop.messagesPerTurn)
    #expect(try drained(of: 10) == 10)
    loop.timeBeforeFrame = .seconds(60)
    #expect(try drained(of: 10_000, yieldingAt: { .zero }) == EventLoop.messagesBeforeFrame)
    #expect(try drained(of: 10_000, yieldingAt: { BootClock.now + .seconds(60) }) == EventLoop.messagesPerTurn)
    loop.timeBeforeFrame = .zero
    #expect(try drained(of: 10_000, yieldingAt: { .zero }) == 1, "one at least")
  }

  @Test func `a message with too many parts is counted, and the next ones are received`() throws {
    let counter = try EventCounter()
    loop.add(counter.descriptor, for: .link)
    counter.signal()
    _ = turn()
    var outcomes: [Int?] = [1, nil, 2]
    var taken: [Int] = []
    func receive() throws -> ReceiveOutcome<Int> {
      guard !outcomes.isEmpty else { return .wouldBlock }
      guard let number = outcomes.removeFirst() else { throw TooManyParts(limit: 1) }
      return .message(number)
    }
    loop.drain(.link, receive) { taken.append($0) }
    #expect(taken == [1, 2] && loop.counters.malformedMessages == 1)
  }
}
