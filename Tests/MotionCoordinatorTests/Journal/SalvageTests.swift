import MotionJournal
import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionCoordinator
@testable import MotionCore

/// A start that accepts a loss continues from everything that can be read.
struct SalvageTests {
  private func commit(_ sequence: UInt64, _ target: TargetName) -> JournalRow {
    var transaction = Transaction()
    transaction.add(.anchoredSpring("x", 1), to: target)
    return row(sequence, Commit(transaction, id: .random()))
  }

  private func row(_ sequence: UInt64, _ commit: Commit) -> JournalRow {
    let entry = JournalEntry(
      .commit(sequence: sequence, commit, client: 7), frame: Frame(number: sequence, time: 1, dt: 0), time: 1)
    return JournalRow(
      sequence: sequence, wallTime: 1, identity: commit.id.bytes, digest: commit.digest.bytes,
      answer: JournalCoding.bytes(of: Receipt(sequence: sequence, frame: sequence + 1)),
      body: JournalCoding.bytes(of: entry))
  }

  private func contents(checkpoint: [UInt8]?, _ rows: [JournalRow]) -> JournalContents {
    JournalContents(
      checkpoint: checkpoint.map { JournalCheckpoint(sequence: (rows.first?.sequence ?? 3) - 1, body: $0) }, rows: rows,
      identities: rows.map(JournalIdentity.init(of:)))
  }

  private func recover(_ contents: JournalContents) throws -> Runtime {
    let runtime = Runtime()
    _ = try Recovery(contents, into: runtime, compares: true)
    return runtime
  }

  // Clauses: S17.36
  @Test func `salvage loses nothing of a readable journal`() throws {
    let whole = contents(checkpoint: nil, [commit(1, "a"), commit(2, "b")])
    let salvage = Salvage(whole)
    #expect(salvage.losses == [])
    #expect(salvage.contents == whole)
  }

  // Clauses: S17.36
  @Test(arguments: [[], [0xff, 0xff], [UInt8](repeating: 7, count: 300)])
  func `rows are applied without the checkpoint if it cannot be read`(body: [UInt8]) throws {
    let broken = contents(checkpoint: body, [commit(8, "a"), commit(9, "b")])
    #expect(throws: StartError.self) { try recover(broken) }
    let salvage = Salvage(broken)
    #expect(salvage.losses.count == 1)
    #expect(salvage.losses[0].contains("the checkpoint of row 7, which cannot be read"))
    let runtime = try recover(salvage.contents)
    #expect(Set(runtime.checkpoint().targets.map(\.name)) == ["a", "b"])
    #expect(runtime.checkpoint().lastSequence == 9)
  }

  // Clauses: S17.36
  @Test func `an unreadable row is left out with its id, and the others are applied`() throws {
    var broken = contents(checkpoint: nil, [commit(1, "a"), commit(2, "b"), commit(3, "c")])
    broken.rows[1].body = [0xff]
    let error = #expect(throws: StartError.self) { try recover(broken) }
    #expect(error?.remedy.contains("--accept-loss") == true)
    let salvage = Salvage(broken)
    #expect(salvage.losses.first?.contains("row 2, which cannot be read") == true)
    #expect(salvage.contents.identities.map(\.sequence) == [1, 3])
    #expect(Set(try recover(salvage.contents).checkpoint().targets.map(\.name)) == ["a", "c"])
  }

  // Clauses: S17.36
  @Test func `salvage of a journal without readable contents gives an empty runtime`() throws {
    var broken = contents(checkpoint: [0xff], [commit(8, "a")])
    broken.rows[0].body = []
    broken.identities[0].answer = [0xff]
    let runtime = try recover(Salvage(broken).contents)
    #expect(runtime.plans.targets.count == 0)
    #expect(runtime.plans.last.sequence == 7, "a sequence is not given twice")
  }

  // Clauses: S17.36
  @Test func `a start from a salvaged journal of random bytes succeeds`() throws {
    let seed = SeededRandom.seed(of: "SalvageTests")
    var random = SeededRandom(seed: seed)
    let runtime = Runtime()
    for target: TargetName in ["a", "b", "c"] {
      var transaction = Transaction()
      transaction.add(.springTo("position", [3, 4]), to: target)
      try runtime.commit(transaction)
      runtime.advance()
    }
    let body = JournalCoding.bytes(of: runtime.checkpoint())
    for _ in 0..<1000 {
      var broken = contents(checkpoint: body, [commit(8, "a"), commit(9, "b")])
      for _ in 0..<4 {
        func alter(_ bytes: inout [UInt8]) {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
        }
        alter(&broken.checkpoint!.body)
        alter(&broken.rows[Int.random(in: 0...1, using: &random)].body)
        alter(&broken.identities[0].answer)
      }
      #expect(throws: Never.self, "seed \(seed)") { try recover(Salvage(broken).contents) }
    }
  }

  // Clauses: S17.5
  @Test func `an unreadable stored plan fails alone, in a row, a checkpoint or a waiting transaction`() throws {
    let unreadable = Intention.unreadable("SpringTo", "no number has so many digits")
    var transaction = Transaction()
    transaction.add(unreadable, to: "a")
    transaction.add(.anchoredSpring("x", 1), to: "b")
    var world = RuntimeCheckpoint()
    world.frame = Frame(number: 5, time: 1, dt: 0)
    world.lastSequence = 2
    world.targets = [.init("a", []), .init("c", [])]
    world.plans = [
      .init(IntentionIdentity(sequence: 1, operation: 0), unreadable, named: nil, on: "a"),
      .init(IntentionIdentity(sequence: 1, operation: 1), .anchoredSpring("x", 2), named: nil, on: "c"),
    ]
    world.waiting = [.init(at: 1.5, sequence: 2, transaction)]
    let row = row(3, Commit(transaction, id: .random()))
    let contents = contents(checkpoint: JournalCoding.bytes(of: world), [row])
    // No commit can add such a plan: no type has that field.
    #expect(throws: Refusal.self) { try Runtime().commit(transaction) }
    let runtime = try recover(contents)
    #expect(runtime.failures.map(\.target) == ["a", "a"])
    #expect(runtime.failures.allSatisfy { $0.reason.contains("cannot be read") })
    #expect(runtime.checkpoint().plans.map(\.target) == ["c", "b"])
    for _ in 0..<100 { runtime.advance() }
    #expect(runtime.failures.map(\.target) == ["a", "a", "a"])
    #expect(Set(runtime.checkpoint().plans.map(\.identity.sequence)) == [1, 2, 3])
  }
}
