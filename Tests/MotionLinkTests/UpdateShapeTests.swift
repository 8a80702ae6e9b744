import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionLink

/// Updates that name the shape of their rows instead of stating them.
struct UpdateShapeTests {
  /// Both ends, and the messages between them as they are encoded.
  private struct Ends {
    var coordinator = CoordinatorLink.ready()
    var worker = WorkerLink.serving()
    var frame: UInt64 = 10
    var bytes = 0

    /// Runs a frame with these writes, and returns the update's shape and the values that are applied.
    mutating func run(
      _ properties: ClosedRange<UInt32>, losing isLost: Bool = false
    ) throws -> (shape: WorkerUpdate.Shape, applied: [PropertyWrite]) {
      frame += 1
      let tick = coordinator.tick(Fixture.frame(frame), at: Fixture.start)
      _ = worker.received(try #require(tick), at: Fixture.start)
      let writes = properties.map { Fixture.write(frame + UInt64($0), to: PropertyHandle($0)) }
      let envelope = worker.update(frame: frame, writes: writes, at: Fixture.start)
      guard case .update(let update) = envelope.body else { return (.none, []) }
      bytes = envelope.encoded().count
      guard !isLost else { return (update.shape, []) }
      let actions = coordinator.received(try Envelope(decoding: envelope.encoded()), at: Fixture.start)
      let applied = actions.compactMap(\.update).first?.writes ?? []
      #expect(applied == writes || applied.isEmpty)
      return (update.shape, applied)
    }
  }

  // Clauses: S14.14
  @Test func `rows that stay are announced, acknowledged by a tick, and then left out`() throws {
    var ends = Ends()
    #expect(try ends.run(1...200).shape == .none)
    let full = ends.bytes
    #expect(try ends.run(1...200).shape == .announced(1))
    for _ in 0..<3 {
      let (shape, applied) = try ends.run(1...200)
      #expect(shape == .named(1) && applied.count == 200)
      #expect(ends.bytes < full - 500, "executors, handles and counts are not sent")
    }
    // Other rows begin anew, and so do the former ones after them.
    #expect(try ends.run(1...199).shape == .none)
    #expect(try ends.run(1...200).shape == .none)
    #expect(try ends.run(1...200).shape == .announced(3))
    #expect(try ends.run(1...200).shape == .named(3))
    #expect(ends.coordinator.counters == LinkCounters())
  }

  // Clauses: S14.14
  @Test func `a shape whose announcement is lost is announced until a tick acknowledges it`() throws {
    var ends = Ends()
    _ = try ends.run(1...3)
    for _ in 0..<3 {
      let (shape, _) = try ends.run(1...3, losing: true)
      #expect(shape == .announced(1))
    }
    #expect(try ends.run(1...3).applied.count == 3)
    #expect(try ends.run(1...3).shape == .named(1))
    // The coordinator loses what it knew.
    ends.coordinator = .ready()
    #expect(try ends.run(1...3).shape == .announced(1))
    let (shape, applied) = try ends.run(1...3)
    #expect(shape == .named(1) && applied.count == 3)
  }

  // Clauses: S14.14
  @Test func `values of an unknown shape, or that do not fit it, are dropped and the shape is forgotten`() throws {
    var ends = Ends()
    for _ in 0..<4 { _ = try ends.run(1...3) }
    func forged(_ number: UInt64, rows: Int) throws -> Envelope {
      var update = WorkerUpdate(
        frame: ends.frame, writes: (0..<rows).map { Fixture.write(7, to: PropertyHandle(UInt32($0))) },
        commandsApplied: 0)
      update.shape = .named(number)
      return try Envelope(decoding: Fixture.fromWorker(.update(update), sequence: 1000).encoded())
    }
    for (number, rows) in [(UInt64(1), 2), (1, 4), (2, 3)] {
      let actions = ends.coordinator.received(try forged(number, rows: rows), at: Fixture.start)
      let applied = actions.compactMap(\.update).flatMap(\.writes)
      #expect(applied.isEmpty, "shape \(number), \(rows) rows")
      #expect(try ends.run(1...3).shape == .announced(1))
      #expect(try ends.run(1...3).applied.count == 3)
    }
    #expect(ends.coordinator.counters.gaps == 3)
  }

  // Clauses: S14.14
  @Test func `any rows with any losses and restarts are applied as they were written, or not at all`() throws {
    let seed = SeededRandom.seed(of: "UpdateShapeTests")
    var random = SeededRandom(seed: seed)
    var named = 0
    for _ in 0..<SeededRandom.rounds(300) {
      var ends = Ends()
      var properties: ClosedRange<UInt32> = 1...3
      for _ in 0..<60 {
        if random.chance(0.1) {
          let first = UInt32.random(in: 1...3, using: &random)
          properties = first...first + UInt32.random(in: 0...2, using: &random)
        }
        if random.chance(0.02) { ends.coordinator = .ready() }
        let isLost = random.chance(0.2)
        let (shape, applied) = try ends.run(properties, losing: isLost)
        guard case .named = shape, !isLost else { continue }
        named += 1
        // Each is known: a tick stated so in this frame.
        #expect(applied.count == properties.count, "seed \(seed)")
      }
    }
    #expect(named > 1000)
  }
}
