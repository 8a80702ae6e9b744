import MotionJournal
import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionCoordinator
@testable import MotionCore

/// A start from any journal content: it comes from a disk, so none of it is trusted.
struct RecoveryTests {
  private static func registry() throws -> ExecutorRegistry {
    var registry = ExecutorRegistry()
    try registry.register(
      PluginManifest(name: "tween", executable: "tween", intentions: [TweenIntention.description]))
    try registry.register(
      PluginManifest(name: "gesture", executable: "gesture", intentions: [DraggableIntention.description]))
    return registry
  }

  /// A runtime in the middle of its movements, and the rows that followed.
  private func contents() throws -> JournalContents {
    let runtime = Runtime(registry: try Self.registry())
    var transaction = Transaction()
    transaction.add(.anchoredSpring("position", [100, 50]), named: "home", to: "ball")
    transaction.add(.springTo("opacity", 0.5), to: "lamp")
    transaction.add(.tween("opacity", to: 0), to: "lamp")
    transaction.add(.draggable(), to: "box")
    try runtime.commit(transaction)
    for _ in 0..<5 { runtime.advance() }
    try runtime.commit(transaction, at: 1)
    var world = runtime.checkpoint()
    world.owners = [.init(7, [1])]
    world.plans[2].start = .init(frame: 3, time: 0.01)
    world.plans[2].places = [.init("opacity", handle: PropertyHandle(1), state: PropertyState(0.5, velocity: 0))]
    let frame = runtime.frame
    let events: [JournalEntry.Event] = [
      .commit(sequence: 3, Commit(transaction, id: .random()), client: 7),
      .commit(sequence: 4, Commit(transaction, id: .random(), at: 3, whileConnected: true), client: 7),
      .clock(.speed(2)), .clock(.pause), .withdraw([1]), .stop(["lamp"]), .void,
    ]
    let rows = events.enumerated().map { index, event in
      JournalRow(
        sequence: UInt64(index) + 2, wallTime: 1,
        body: JournalCoding.bytes(of: JournalEntry(event, frame: frame, time: frame.time + Double(index))))
    }
    return JournalContents(checkpoint: JournalCheckpoint(sequence: 1, body: JournalCoding.bytes(of: world)), rows: rows)
  }

  /// Starts from these contents, and continues as a daemon does; returns the reason if the start was refused.
  @discardableResult
  private func start(from contents: JournalContents) throws -> StartError? {
    var failed = false
    return try start(from: contents, failed: &failed)
  }

  /// - Parameter failed: set if a plan of these contents cannot be read, or is of a type that is not known.
  private func start(from contents: JournalContents, failed: inout Bool) throws -> StartError? {
    let runtime = Runtime(registry: try Self.registry())
    runtime.log.keeps.insert(.checkpoints)
    let recovery: Recovery
    do {
      recovery = try Recovery(contents, into: runtime)
    } catch {
      return error
    }
    failed = !runtime.failures.isEmpty
    var clock = FrameSchedule(ratePerSecond: 120, at: .seconds(5))
    clock.restore(recovery.clock, after: runtime.frame, at: .seconds(6))
    clock.resume(at: .seconds(6))
    _ = runtime.nextDueTime.flatMap { clock.bootTime(of: $0) }
    clock.activate(at: .seconds(6))
    for _ in 0..<3 {
      guard let due = clock.take(at: .seconds(7)) else { break }
      runtime.run(due.frame)
    }
    clock.pause(at: .seconds(7))
    clock.resume(at: .seconds(8))
    runtime.applyNow(.provisioned(WorkerAddress("tween", 0)))
    var transaction = Transaction()
    transaction.add(.springTo("position", [1, 2]), to: "ball")
    transaction.add(.springTo("x", 1), to: "another")
    _ = try? runtime.commit(transaction)
    while let due = clock.take(at: .seconds(9)) { runtime.run(due.frame) }
    _ = JournalCoding.bytes(of: runtime.checkpoint())
    return nil
  }

  @Test func `recovery continues from the written rows`() throws {
    #expect(try start(from: contents()) == nil)
  }

  /// A runtime that was recovered from these events, each after the frame of this number.
  private func recovered(_ events: (frame: UInt64, JournalEntry.Event)...) throws -> Runtime {
    let rows = events.enumerated().map { index, event in
      let frame = Frame(number: event.frame, time: Double(event.frame) / 100, dt: 0.01)
      let entry = JournalEntry(event.1, frame: frame, time: frame.time)
      return JournalRow(sequence: UInt64(index) + 1, wallTime: 1, body: JournalCoding.bytes(of: entry))
    }
    let runtime = Runtime(registry: try Self.registry(), ratePerSecond: 100)
    _ = try Recovery(JournalContents(checkpoint: nil, rows: rows), into: runtime)
    return runtime
  }

  private func commit(_ sequence: UInt64, to target: TargetName = "ball") -> JournalEntry.Event {
    var transaction = Transaction()
    transaction.add(.anchoredSpring("x", 1), to: target)
    return .commit(sequence: sequence, Commit(transaction, id: .random()), client: 7)
  }

  // Clauses: S11.4, S17.2
  @Test func `what was committed while time is paused waits for the next frame after a restart`() throws {
    let runtime = try recovered((5, .clock(.pause)), (5, commit(1)), (5, commit(2, to: "lamp")), (5, .clock(.speed(2))))
    #expect(runtime.counts.intentions == 0 && runtime.counts.waiting == 2)
    #expect(runtime.pendingCommits.map(\.sequence) == [1, 2])
    guard case .waiting(let rows)? = try runtime.answer(.waiting, at: 0.07) else { throw CancellationError() }
    #expect(rows.map(\.sequence) == [1, 2] && rows.map(\.at) == [0.07, 0.07])
    #expect(runtime.wantsFrames)
    runtime.advance()
    #expect(runtime.counts.intentions == 2 && runtime.counts.waiting == 0 && runtime.frame.number == 6)
  }

  // Clauses: S17.2
  @Test func `what was committed while time is paused is applied if a frame may have been run`() throws {
    // A row of a later frame, time that runs again, and a stop.
    let stepped = try recovered((5, .clock(.pause)), (5, commit(1)), (6, commit(2, to: "lamp")))
    #expect(stepped.counts.intentions == 1 && stepped.counts.waiting == 1)
    let resumed = try recovered((5, .clock(.pause)), (5, commit(1)), (5, .clock(.resume)))
    #expect(resumed.counts.intentions == 1 && resumed.counts.waiting == 0)
    let stopped = try recovered((5, .clock(.pause)), (5, commit(1)), (5, .stop(["ball"])))
    #expect(stopped.counts.intentions == 0 && stopped.counts.waiting == 0 && stopped.counts.targets == 1)
  }

  // Clauses: S17.2
  @Test func `a row says which transactions had been applied, although frames were run while they were written`() throws
  {
    let frame = Frame(number: 6, time: 0.06, dt: 0.01)
    let rows = [
      JournalEntry(commit(1), frame: Frame(number: 5, time: 0.05, dt: 0.01), time: 0.05, applied: 0),
      JournalEntry(commit(2, to: "lamp"), frame: frame, time: 0.06, applied: 1),
      JournalEntry(.clock(.pause), frame: Frame(number: 7, time: 0.07, dt: 0.01), time: 0.07, applied: 1),
    ]
    let runtime = Runtime(ratePerSecond: 100)
    let contents = JournalContents(
      checkpoint: nil,
      rows: rows.enumerated().map {
        JournalRow(sequence: UInt64($0) + 1, wallTime: 1, body: JournalCoding.bytes(of: $1))
      })
    _ = try Recovery(contents, into: runtime)
    #expect(runtime.counts.intentions == 1 && runtime.counts.waiting == 1 && runtime.frame.number == 7)
    #expect(runtime.lastApplied == 1)
    runtime.advance()
    #expect(runtime.counts.intentions == 2 && runtime.lastApplied == 2)
  }

  // Clauses: S17.2
  @Test func `a transaction that is withdrawn before its frame is never applied, also after a restart`() throws {
    let runtime = try recovered((5, .clock(.pause)), (5, commit(1)), (5, commit(2, to: "lamp")), (5, .withdraw([1])))
    #expect(runtime.counts.waiting == 1 && runtime.pendingCommits.map(\.sequence) == [2])
    runtime.advance()
    #expect(runtime.counts.intentions == 1 && runtime.counts.targets == 1)
  }

  // Clauses: S17.5
  @Test func `a plan that waited for the next frame and cannot continue is reported as failed by that frame`() throws {
    var transaction = Transaction()
    transaction.add(Intention("Vanished"), to: "ball")
    transaction.add(.anchoredSpring("x", 1), to: "ball")
    let runtime = try recovered(
      (5, .clock(.pause)), (5, .commit(sequence: 1, Commit(transaction, id: .random()), client: 7)))
    #expect(runtime.failures.isEmpty)
    runtime.advance()
    #expect(runtime.failures.map(\.intention.type) == ["Vanished"] && runtime.counts.intentions == 1)
  }

  @Test func `a recovery reports its progress before each row that it applies`() throws {
    let contents = try contents()
    var applied: [Int] = []
    let recovery = try Recovery(contents, into: Runtime(registry: try Self.registry())) { applied.append($0) }
    #expect(applied == Array(0..<recovery.rows) && recovery.rows == contents.rows.count)
  }

  @Test func `plans that failed in a recovery are not reported as missing, also if the log dropped some`() throws {
    let contents = try contents()
    for limit in [EventLog.entriesKept, 1] {
      // Without plugins, a tween and a drag fail.
      let runtime = Runtime()
      runtime.log.limit = limit
      _ = try Recovery(contents, into: runtime, compares: true)
      #expect(runtime.failures.count >= 2)
    }
  }

  // Clauses: S17.28
  @Test func `a start from random bytes succeeds or is refused, and never traps`() throws {
    let seed = SeededRandom.seed(of: "whatever bytes say")
    var random = SeededRandom(seed: seed)
    let contents = try contents()
    var (refused, failures) = (0, 0)
    for _ in 0..<1000 {
      var altered = contents
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        var bytes = contents.checkpoint?.body ?? []
        Self.alter(&bytes, &random)
        altered.checkpoint?.body = bytes
      case 9:
        // Randomly altered bytes seldom affect only one plan.
        var bytes = contents.checkpoint?.body ?? []
        let type = Array("SpringTo".utf8)
        let start = try #require(bytes.firstRange(of: type)?.lowerBound)
        bytes[start + Int.random(in: 0..<type.count, using: &random)] ^= 1
        altered.checkpoint?.body = bytes
      default:
        let row = Int.random(in: 0..<altered.rows.count, using: &random)
        Self.alter(&altered.rows[row].body, &random)
      }
      var failed = false
      if let error = try start(from: altered, failed: &failed) {
        #expect(error.description.contains("cannot be read"), "seed \(seed)")
        refused += 1
      } else if failed {
        failures += 1
      }
    }
    let counts = "\(refused) of 1000 were refused, \(failures) lost a plan, seed \(seed)"
    #expect((100...900).contains(refused + failures) && refused > 0 && failures > 0, "\(counts)")
  }

  private static func alter(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      default:
        // At a place where an eight-byte number may be.
        let number =
          [0, -1, .greatestFiniteMagnitude, -1e300, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0
        withUnsafeBytes(of: number) { eight in
          for (index, byte) in eight.enumerated() where place + index < bytes.count { bytes[place + index] = byte }
        }
      }
    }
  }

  // Clauses: S17.28
  @Test func `a start from a random checkpoint succeeds or is refused, and never traps`() throws {
    let seed = SeededRandom.seed(of: "whatever a world says")
    var random = SeededRandom(seed: seed)
    let contents = try contents()
    let world = try JournalCoding.checkpoint(in: contents.checkpoint?.body ?? [])
    var started = 0
    let rounds = SeededRandom.rounds(1000)
    for _ in 0..<rounds {
      var altered = world
      for _ in 0..<Int.random(in: 1...3, using: &random) { Self.alter(&altered, &random) }
      let body = JournalCoding.bytes(of: altered)
      let checkpoint = JournalCheckpoint(sequence: 1, body: body)
      if try start(from: JournalContents(checkpoint: checkpoint, rows: contents.rows)) == nil { started += 1 }
    }
    #expect(started > rounds * 3 / 10, "\(started) of \(rounds) went on, seed \(seed)")
  }

  private static func alter(_ world: inout RuntimeCheckpoint, _ random: inout SeededRandom) {
    let times = [0, -1, 0.5, 1e-300, 3e9, 1e300, -Double.greatestFiniteMagnitude, .greatestFiniteMagnitude]
    let numbers: [UInt64] = [0, 1, 5, 255, 256, 1 << 31, 1 << 32, 1 << 61, 1 << 62, .max]
    let time = times.randomElement(using: &random) ?? 0
    let number = numbers.randomElement(using: &random) ?? 0
    let lanes = Lanes([time, 1, 2, 3].prefix(Int.random(in: 1...4, using: &random))) ?? 0
    let plan = Int.random(in: 0..<max(1, world.plans.count), using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: world.frame.number = number
    case 1: world.frame.time = time
    case 2: world.frame.dt = abs(time)
    case 3: world.clock.time = time
    case 4: world.clock.speed = [1e-6, 0.5, 1000].randomElement(using: &random) ?? 1
    case 5: world.lastSequence = number
    case 6: world.targets += world.targets
    case 7:
      let place = PropertyState(lanes, velocity: lanes)
      world.targets = world.targets.map { .init($0.name, $0.properties.map { .init($0.name, place) }) }
    case 8: world.targets = []
    case 9: world.plans += world.plans
    case 10: if plan < world.plans.count { world.plans[plan].identity.operation = UInt32(truncatingIfNeeded: number) }
    case 11: if plan < world.plans.count { world.plans[plan].start = .init(frame: number, time: time) }
    case 12:
      guard plan < world.plans.count else { return }
      let state = PropertyState(lanes, velocity: lanes)
      world.plans[plan].places = [.init("opacity", handle: PropertyHandle(9), state: state)]
    case 13:
      guard plan < world.plans.count else { return }
      world.plans[plan].identity.path = [UInt32(truncatingIfNeeded: number)]
      world.plans[plan].emittedBelow = UInt32(truncatingIfNeeded: number)
      world.plans[plan].emitted = [.max, 0, 0]
    case 14: world.plans.reverse()
    default: world.waiting = world.waiting.map { .init(at: time, sequence: number, $0.transaction) } + world.waiting
    }
  }
}
