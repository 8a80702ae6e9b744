import Glibc
import MotionCore
import MotionExecutorKit
import MotionExecutors
import MotionLink
import MotionModel
import Testing
import ZeroMQ

/// The worker's loop over real sockets. Every worker ends with its test: its transport ends its lifeline.
@Suite(.timeLimit(.minutes(3))) struct WorkerLoopTests {
  /// Is slow in every frame.
  private final class SlowExecutor: DeclaredExecutor, UpdatingExecutor {
    static let type: ExecutorType = "Slow"
    static let descriptions: [IntentionDescription] = []
    init(target: TargetName, context: ExecutorContext) {}
    func add(_ planned: PlannedIntention) {}
    func remove(_ identity: IntentionIdentity) {}
    func update(_ frame: Frame) -> Bool {
      // Not a wait for an event: it is the slowness itself.
      usleep(50_000)
      return true
    }
  }

  private static func plan(_ number: UInt64) -> PlannedIntention {
    PlannedIntention(
      identity: IntentionIdentity(sequence: number, operation: 0), intention: Intention("Slow"), startFrame: 1,
      startTime: 0, starts: [])
  }

  @Test func aWorkerIsReadyAfterOneSnapshotAndEndsWithItsLifeline() throws {
    let transport = try SocketTransport { ExecutorDeclaration(TweenExecutor.self) }
    #expect(transport.provisionedTimes == 1)
    #expect(transport.end { $0.endLifeline() } == .abandoned)
  }

  @Test func `a worker ends on a signal`() throws {
    let transport = try SocketTransport { ExecutorDeclaration(TweenExecutor.self) }
    #expect(transport.end { $0.stop() } == .stopped)
  }

  @Test func `a worker ends when motiond shuts it down`() throws {
    let transport = try SocketTransport { ExecutorDeclaration(TweenExecutor.self) }
    transport.drain()
    #expect(transport.end() == .told(.shutdown))
  }

  @Test func `a worker without an executor of its manifest is refused with the reason`() throws {
    let transport = try SocketTransport({ Worker(TweenExecutor.self) }, executors: ["Gesture"])
    transport.waitUntil { transport.fenced != nil }
    guard case .refused(let refusal)? = transport.fenced else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.message.contains("Gesture"))
  }

  @Test func `a worker sends heartbeats during a long frame`() throws {
    let transport = try SocketTransport { ExecutorDeclaration(SlowExecutor.self) }
    transport.setActive()
    for number in UInt64(1)...20 {
      let target = try TargetName("t\(number)")
      _ = transport.obey(.add(ExecutorHandle(UInt32(number)), ExecutorKey(target, "Slow"), Self.plan(number)))
    }
    let before = transport.heard.count
    _ = transport.run(Frame(number: 1, time: 0.01, dt: 0.01))
    let meanwhile = transport.heard[before...].prefix { $0 != .frame(1) }
    // 20 × 50 ms are five times as long as the interval of heartbeats.
    #expect(meanwhile.filter { $0 == .heartbeat }.count >= 3)
  }

  @Test func `a worker without messages stops its executors and gets a snapshot again`() throws {
    let transport = try SocketTransport { ExecutorDeclaration(Gripping.self) }
    let key = ExecutorKey("circle", "Gripping")
    let began = transport.obey(.add(ExecutorHandle(1), key, Self.plan(1)))
    #expect(began.events == [.started(ExecutorHandle(1), "hand", moving: [])])
    transport.setActive()
    transport.snapshot.executors = [
      .init(handle: ExecutorHandle(1), key: key, intentions: [Self.plan(1)], displaced: [], driven: [])
    ]
    transport.isSilent = true
    transport.waitUntil { transport.heard.last == .hello }
    transport.isSilent = false
    transport.waitUntil { transport.provisionedTimes == 2 && transport.lastEventApplied == 3 }
    #expect(
      transport.takeOutput().events == [
        .ended(ExecutorHandle(1), "hand"), .started(ExecutorHandle(1), "hand", moving: []),
      ])
  }

  /// Holds a token from its first plan on.
  private final class Gripping: DeclaredExecutor {
    static let type: ExecutorType = "Gripping"
    static let descriptions: [IntentionDescription] = []
    let context: ExecutorContext
    init(target: TargetName, context: ExecutorContext) { self.context = context }
    func add(_ planned: PlannedIntention) { context.remoteExecutionWillStart("hand") }
    func remove(_ identity: IntentionIdentity) {}
  }

  @Test func `values written outside of a frame are sent without one`() throws {
    final class Eager: DeclaredExecutor {
      static let type: ExecutorType = "Eager"
      static let descriptions: [IntentionDescription] = []
      let context: ExecutorContext
      init(target: TargetName, context: ExecutorContext) { self.context = context }
      func add(_ planned: PlannedIntention) { context.write("opacity", PropertyState(0.5)) }
      func remove(_ identity: IntentionIdentity) {}
    }
    let transport = try SocketTransport { ExecutorDeclaration(Eager.self) }
    var planned = Self.plan(1)
    planned.starts = [.init("opacity", handle: PropertyHandle(4), state: PropertyState(1))]
    let output = transport.obey(.add(ExecutorHandle(1), ExecutorKey("circle", "Eager"), planned))
    #expect(output.writes.map(\.property) == [PropertyHandle(4)])
    #expect(output.writes.map(\.state) == [PropertyState(0.5)])
  }
}
