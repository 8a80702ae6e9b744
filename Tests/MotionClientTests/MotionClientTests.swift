import FakeCoordinator
import LinuxSystem
import MotionModel
import MotionWire
import Synchronization
import Testing

@testable import MotionClient

/// A client against the coordinator's side of its sockets, over ipc.
@Suite(.timeLimit(.minutes(1))) struct MotionClientTests {
  private func transaction() -> Transaction {
    var transaction = Transaction()
    transaction.add(.springTo("position", [100, 50]), to: "ball")
    return transaction
  }

  @Test func greetsAndCommits() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    #expect(client.service == coordinator.service)
    #expect(client.epoch == 1)
    let id = TransactionID(high: 1, low: 2)
    let receipt = try client.commit(transaction(), id: id, at: 2.5)
    #expect(receipt == Receipt(sequence: 1, frame: 1, at: 2.5))
    let request = try #require(coordinator.requests.last)
    var commit = Commit(transaction(), id: id, at: 2.5)
    commit.client = "test"
    #expect(request.body == .commit(commit))
    #expect(request.incarnation == client.incarnation)
    #expect(coordinator.requests.map(\.sequence) == [1, 2])
    #expect(request.sent > 0)
  }

  @Test func `a client connects to the second place if the first has no daemon`() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    let nowhere = RuntimePaths(directory: "/tmp/motion-nowhere")
    let client = try MotionClient(connectingTo: [nowhere, coordinator.paths], name: "test")
    #expect(client.paths == coordinator.paths)
  }

  @Test func `connecting without a daemon fails at once`() throws {
    let error = #expect(throws: MotionClientError.self) {
      _ = try MotionClient(connectingTo: "/tmp/motion-nowhere", name: "test", timeout: .seconds(60))
    }
    #expect(error?.code == .unreachable)
    #expect(error?.message.contains("/tmp/motion-nowhere/client/control.ipc") == true)
    #expect(error?.remedy.contains("motiond --runtime-dir /tmp/motion-nowhere") == true)
  }

  @Test func `a removed socket is reported as missing`() throws {
    let coordinator = try FakeCoordinator()
    let path = coordinator.paths.controlSocket
    #expect(Reachability.refusal(of: path) == nil)
    coordinator.stop()
    #expect(Reachability.refusal(of: path) == "no such socket")
  }

  @Test func `a commit without an answer is resent with the same id`() throws {
    // The first transmission of the commit is not answered.
    let heard = Mutex(0)
    let coordinator = try FakeCoordinator { envelope in
      guard case .commit = envelope.body else { return FakeCoordinator.obliging(envelope) }
      let count = heard.withLock { count in
        count += 1
        return count
      }
      return count == 1 ? nil : .receipt(Receipt(sequence: 4, frame: 2, isRepeat: true))
    }
    defer { coordinator.stop() }
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test", timeout: .seconds(20))
    #expect(try client.commit(transaction()) == Receipt(sequence: 4, frame: 2, isRepeat: true))
    let ids = coordinator.requests.compactMap { if case .commit(let commit) = $0.body { commit.id } else { nil } }
    #expect(ids.count == 2)
    #expect(Set(ids).count == 1)
  }

  @Test func `a commit is resent to a restarted daemon in its epoch`() throws {
    let first = try FakeCoordinator()
    let client = try MotionClient(connectingTo: [first.paths], name: "test", timeout: .seconds(20))
    first.stop(keepsDirectory: true)
    // As a coordinator does: messages for an older epoch are dropped.
    let second = try FakeCoordinator(directory: first.paths.directory, epoch: 2) { envelope in
      if case .commit = envelope.body, envelope.epoch != 2 { return nil }
      return FakeCoordinator.obliging(envelope)
    }
    defer { second.stop() }
    #expect(try client.commit(transaction()).sequence == 1)
    #expect(client.epoch == 2)
    let epochs = second.requests.compactMap { if case .commit = $0.body { $0.epoch } else { nil } }
    #expect(epochs == [1, 2])
  }

  @Test func `a query without an answer times out`() throws {
    let coordinator = try FakeCoordinator { _ in nil }
    defer { coordinator.stop() }
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    let error = #expect(throws: MotionClientError.self) {
      _ = try client.query(.targets, timeout: .milliseconds(50))
    }
    #expect(error?.code == .timeout)
  }

  // Clauses: S29.2
  @Test func `a readable descriptor interrupts calls, and the client can be used again`() throws {
    let isSilent = Mutex(false)
    let coordinator = try FakeCoordinator { envelope in
      isSilent.withLock { $0 } ? nil : FakeCoordinator.obliging(envelope)
    }
    defer { coordinator.stop() }
    let counter = try EventCounter()
    let client = try MotionClient(
      connectingTo: [coordinator.paths], name: "test", timeout: .seconds(20), interruptedBy: counter.descriptor)
    isSilent.withLock { $0 = true }
    counter.signal()
    let error = #expect(throws: MotionClientError.self) { try client.commit(transaction()) }
    #expect(error?.code == .interrupted)
    let subscription = try client.subscribe(to: [.values(.target("nothing"))])
    #expect(throws: MotionClientError.self) { try subscription.synchronise(timeout: .seconds(20)) }
    #expect(try subscription.next(timeout: .seconds(20)) == nil)
    counter.drain()
    isSilent.withLock { $0 = false }
    #expect(try client.commit(transaction()).sequence == 1)
  }

  @Test func `a refusal is thrown with its details`() throws {
    let refusal = Refusal(
      .unknownType, operation: 3, "there is no intention type \"Twen\"", remedy: "Did you mean \"Tween\"?")
    let coordinator = try FakeCoordinator { envelope in
      if case .commit = envelope.body { .refusal(refusal) } else { nil }
    }
    defer { coordinator.stop() }
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    let error = #expect(throws: MotionClientError.self) { try client.commit(transaction()) }
    #expect(error?.code == .refused)
    #expect(error?.refusal == refusal)
  }

  @Test func reportsAnAnswerOfAnotherKind() throws {
    let coordinator = try FakeCoordinator { envelope in
      if case .query = envelope.body { .done(ClockState()) } else { nil }
    }
    defer { coordinator.stop() }
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    let error = #expect(throws: MotionClientError.self) { try client.targets() }
    #expect(error?.code == .protocolViolation)
  }

  @Test func `a client with a held plan sends heartbeats from its own thread`() throws {
    // The coordinator's thread signals when it has received from the client twice; this thread waits for nothing else.
    let heard = Mailbox()
    let coordinator = try FakeCoordinator { envelope in
      if case .alive = envelope.body { heard.put(envelope.incarnation) }
      return FakeCoordinator.obliging(envelope)
    }
    defer { coordinator.stop() }
    var client: MotionClient? = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    let incarnation = client?.incarnation
    try client?.commit(transaction(), whileConnected: true)
    #expect(heard.take() == incarnation)
    #expect(heard.take() == incarnation)
    client = nil
  }

  @Test func `clock, stop and restart requests are sent`() throws {
    let coordinator = try FakeCoordinator { envelope in
      switch envelope.body {
      case .clock(.pause): .done(ClockState(time: 1, speed: 1, isPaused: true))
      default: FakeCoordinator.obliging(envelope)
      }
    }
    defer { coordinator.stop() }
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    #expect(try client.clock(.pause).isPaused)
    try client.clock(.speed(0.5))
    try client.clock(.step(3))
    try client.stop(["ball"])
    try client.restart("tween")
    let bodies = coordinator.requests.dropFirst().map(\.body)
    #expect(
      bodies == [.clock(.pause), .clock(.speed(0.5)), .clock(.step(3)), .stop(["ball"]), .restart("tween")])
  }
}
