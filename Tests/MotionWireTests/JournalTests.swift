import MotionModel
import MotionTestKit
import MotionWire
import Testing

/// Journal entries are read back unchanged, and altered ones cause an error and never a trap.
@Suite struct JournalTests {
  @Test func `entries and checkpoints are the same after encoding and decoding`() throws {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(500) {
      let entry = generator.journalEntry()
      #expect(try JournalCoding.entry(in: JournalCoding.bytes(of: entry)) == entry)
      let checkpoint = generator.checkpoint()
      #expect(try JournalCoding.checkpoint(in: JournalCoding.bytes(of: checkpoint)) == checkpoint)
    }
  }

  /// With the client's own bytes a commit is the same row.
  @Test func `a commit's original bytes give the same row`() throws {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(500) {
      let entry = generator.journalEntry()
      guard case .commit(let sequence, let commit, let client) = entry.event else { continue }
      let bytes = Envelope(incarnation: client, sequence: 1, .commit(commit)).encoded()
      let (envelope, place) = try bytes.withUnsafeBytes { buffer throws(WireError) in
        try Envelope.read(buffer, limit: Limits.clientMessageBytes)
      }
      #expect(envelope.body == .commit(commit))
      guard let place else {
        #expect(commit.transaction.log.contains { $0.target == nil }, "only groups have no place")
        continue
      }
      let said = Array(bytes[place])
      let row = JournalCoding.bytes(
        ofCommit: sequence, said: said, client: client, frame: entry.frame, time: entry.time, applied: entry.applied,
        by: entry.provenance)
      #expect(try JournalCoding.entry(in: row) == entry)
    }
    let other = Envelope(incarnation: 1, sequence: 1, .alive).encoded()
    #expect(
      try other.withUnsafeBytes { buffer throws(WireError) in try Envelope.read(buffer, limit: 1 << 20).commit } == nil)
  }

  @Test func mutatedEntriesAndCheckpointsNeverTrap() throws {
    var generator = Generator()
    let entries = (0..<100).map { _ in JournalCoding.bytes(of: generator.journalEntry()) }
    let checkpoints = (0..<100).map { _ in JournalCoding.bytes(of: generator.checkpoint()) }
    var accepted = 0
    let rounds = SeededRandom.rounds(20_000)
    for _ in 0..<rounds {
      var (entry, checkpoint) = (generator.pick(entries), generator.pick(checkpoints))
      for _ in 0..<generator.int(1...2) {
        generator.mutate(&entry)
        generator.mutate(&checkpoint)
      }
      // A decoded entry can be encoded, and then decodes to the same.
      if let read = try? JournalCoding.entry(in: entry) {
        #expect(try JournalCoding.entry(in: JournalCoding.bytes(of: read)) == read)
        accepted += 1
      }
      if let read = try? JournalCoding.checkpoint(in: checkpoint) {
        #expect(try JournalCoding.checkpoint(in: JournalCoding.bytes(of: read)) == read)
        accepted += 1
      }
    }
    // Both must occur often, or the test covers one case only.
    #expect((rounds / 5...rounds * 9 / 5).contains(accepted), "\(accepted) of \(2 * rounds) were accepted")
  }

  /// Numbers that allow no successor, or that no runtime can have.
  @Test func `impossible numbers of a checkpoint are refused by field`() throws {
    func refusal(_ change: (inout RuntimeCheckpoint) throws -> Void) throws -> String? {
      var checkpoint = RuntimeCheckpoint()
      checkpoint.lastSequence = 7
      try change(&checkpoint)
      do {
        _ = try JournalCoding.checkpoint(in: JournalCoding.bytes(of: checkpoint))
        return nil
      } catch {
        return error.field
      }
    }
    func plan(_ sequence: UInt64) -> RuntimeCheckpoint.Plan {
      .init(IntentionIdentity(sequence: sequence, operation: 0), .springTo("x", 1), named: nil, on: "ball")
    }
    #expect(try refusal { $0.plans = [plan(7)] } == nil)
    #expect(try refusal { $0.frame.number = .max } == "frame.number")
    #expect(try refusal { $0.lastSequence = .max } == "last_sequence")
    #expect(try refusal { $0.clock.speed = 0 } == "clock.speed")
    #expect(try refusal { $0.clock.speed = .leastNonzeroMagnitude } == "clock.speed")
    #expect(try refusal { $0.plans = [plan(1), plan(8)] } == "plans[1].identity.sequence")
    #expect(
      try refusal { $0.waiting = [.init(at: 1, sequence: 8, Transaction())] } == "waiting[0].sequence")
    let entry = JournalEntry(
      .commit(sequence: .max, Commit(Transaction(), id: .random()), client: 1), frame: Frame(number: 0, time: 0, dt: 0),
      time: 0)
    let error = #expect(throws: WireError.self) { try JournalCoding.entry(in: JournalCoding.bytes(of: entry)) }
    #expect(error?.field == "commit.sequence")
  }
}
