import MotionJournal
import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionCoordinator
@testable import MotionCore

/// A checkpoint that is assembled from changes, compared with the runtime itself.
struct CheckpointMirrorTests {
  private func check(_ mirror: inout CheckpointMirror, _ runtime: Runtime, _ journal: MemoryJournal) throws {
    while let changes = runtime.log.takeChanges(atMost: 5) {
      for change in changes.targets { mirror.take(change) }
      for change in changes.plans { mirror.take(change) }
    }
    let snapshot = JournalSnapshot(
      row: 0, head: runtime.checkpointHead(), columns: runtime.columns, world: runtime.checkpoint())
    let update = try mirror.update(to: snapshot, in: journal)
    let count = try journal.checkpoint(update) { try mirror.check($0, of: snapshot) }
    mirror.wrote()
    let bytes = try #require(try journal.contents().checkpoint).body
    #expect(bytes.count == count)
    var read = try JournalCoding.checkpoint(in: bytes)
    // Stored in the order of their sequences; a start sorts them by their times.
    read.waiting.sort { ($0.at, $0.sequence) < ($1.at, $1.sequence) }
    #expect(read == runtime.checkpoint())
  }

  @Test func `the mirror equals the checkpoint of the runtime after any commits`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "CheckpointMirrorTests"))
    let runtime = Runtime()
    runtime.log.keeps.insert(.checkpoints)
    var mirror = CheckpointMirror()
    let journal = try MemoryJournal(on: MemoryDisk())
    for round in 0..<200 {
      var transaction = Transaction()
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let target = try TargetName("target-\(Int.random(in: 0..<30, using: &random))")
        let property: PropertyName = Bool.random(using: &random) ? "position" : "opacity"
        let lanes: Lanes = property == "position" ? [Double(round), 2] : Lanes(Double(round))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: transaction.forget(target)
        case 1: transaction.add(.anchoredSpring(property, lanes), named: "home", to: target)
        case 2: transaction.remove(named: "home", from: target)
        default: transaction.add(.springTo(property, lanes), to: target)
        }
      }
      let isLater = Int.random(in: 0..<5, using: &random) == 0
      try runtime.commit(transaction, at: isLater ? runtime.frame.time + 0.3 : nil)
      for _ in 0..<Int.random(in: 1...10, using: &random) { runtime.advance() }
      try check(&mirror, runtime, journal)
    }
    runtime.applyNow(.stop([]))
    try check(&mirror, runtime, journal)
  }

  @Test func `targets whose staged plans end before they are stored are stored`() throws {
    let runtime = Runtime()
    runtime.log.keeps.insert(.checkpoints)
    var transaction = Transaction()
    // A spring that is where it belongs ends with its first frame.
    transaction.add(.springTo("x", 0), toEach: try TargetSelector("t{1..\(2 * Runtime.fewestStaged)}"))
    let large = try TransactionCheck(transaction, in: runtime, staging: true)
    try large.finish()
    try runtime.commit(large)
    for _ in 0..<5 { runtime.advance() }
    #expect(runtime.counts.intentions == 0)
    var next = Transaction()
    next.add(.anchoredSpring("x", 1), toEach: "t*1")
    next.forget(each: "t*2")
    try runtime.commit(next)
    runtime.advance()
    var mirror = CheckpointMirror()
    try check(&mirror, runtime, try MemoryJournal(on: MemoryDisk()))
  }

  // Clauses: S17.33
  @Test func `free lanes of forgotten targets are legal, also when no property is left`() throws {
    let runtime = Runtime()
    runtime.log.keeps.insert(.checkpoints)
    var mirror = CheckpointMirror()
    let journal = try MemoryJournal(on: MemoryDisk())
    var transaction = Transaction()
    transaction.add(.springTo("x", 1), to: "ball")
    transaction.add(.springTo("position", [1, 2]), to: "box")
    try runtime.commit(transaction)
    runtime.advance()
    try check(&mirror, runtime, journal)
    for target: TargetName in ["ball", "box"] {
      var forget = Transaction()
      forget.forget(target)
      try runtime.commit(forget)
      runtime.advance()
      try check(&mirror, runtime, journal)
    }
    #expect(runtime.columns.values.count == 3)
    #expect(runtime.plans.targets.count == 0)
  }

  @Test func `unchanged parts of the checkpoint are not written again`() throws {
    let runtime = Runtime()
    runtime.log.keeps.insert(.checkpoints)
    var transaction = Transaction()
    for number in 0..<5000 { transaction.add(.springTo("x", Lanes(Double(number))), to: try TargetName("t\(number)")) }
    try runtime.commit(transaction)
    for _ in 0..<5000 where runtime.wantsFrames { runtime.advance() }
    let disk = MemoryDisk()
    let journal = try MemoryJournal(on: disk)
    var mirror = CheckpointMirror()
    try check(&mirror, runtime, journal)
    let before = disk.parts
    var another = Transaction()
    another.add(.anchoredSpring("x", 7), to: "t2600")
    try runtime.commit(another)
    runtime.advance()
    try check(&mirror, runtime, journal)
    let after = disk.parts
    #expect(before.count == after.count - 1, "the chunk of the one plan there is")
    // The clock, the lanes of the target that moves, and its plan.
    #expect(after.filter { before[$0.key] != $0.value }.count == 3)
  }

  // Clauses: S17.38
  @Test func `a waiting transaction is stored once, and removed when it is due`() throws {
    let runtime = Runtime()
    runtime.log.keeps.insert(.checkpoints)
    let journal = try MemoryJournal(on: MemoryDisk())
    var mirror = CheckpointMirror()
    for (number, at) in [9.0, 0.2, 5.0].enumerated() {
      var transaction = Transaction()
      transaction.add(.springTo("x", Lanes(Double(number))), to: "cue")
      try runtime.commit(transaction, at: at)
      runtime.advance()
      try check(&mirror, runtime, journal)
    }
    let snapshot = JournalSnapshot(row: 0, head: runtime.checkpointHead(), columns: runtime.columns)
    let update = try mirror.update(to: snapshot, in: journal)
    #expect(update.parts.allSatisfy { $0.number >> 56 != 3 } && update.removed.allSatisfy { $0 >> 56 != 3 })
    while runtime.frame.time < 0.5 { runtime.advance() }
    try check(&mirror, runtime, journal)
    #expect(runtime.checkpoint().waiting.map(\.sequence) == [3, 1])
  }

  // Clauses: S17.38
  @Test func `waiting transactions beyond their budget are refused with the numbers`() throws {
    let runtime = Runtime()
    var transaction = Transaction()
    // Long names, so that the budget is full after fewer operations.
    let long = String(repeating: "t", count: 120)
    for number in 0..<10_000 { transaction.add(.anchoredSpring("x", 1), to: try TargetName("\(long)\(number)")) }
    let bytes = transaction.storedBytes
    for number in 0..<(Limits.waitingBytes / bytes) { try runtime.commit(transaction, at: Double(number + 1)) }
    let error = #expect(throws: Refusal.self) { try runtime.commit(transaction, at: 7) }
    #expect(error?.code == .limit)
    #expect(error?.description.contains("\(Limits.waitingBytes)") == true)
    // An empty transaction still fits, and a withdrawal makes room.
    try runtime.commit(Transaction(), at: 7)
    runtime.applyNow(.withdraw([1]))
    try runtime.commit(transaction, at: 7.5)
  }

  // Clauses: S17.38
  @Test func `the budget of waiting transactions includes their provenance`() throws {
    let runtime = Runtime()
    let comment = String(repeating: "c", count: Limits.commentBytes)
    let name = String(repeating: "n", count: Limits.clientNameBytes)
    let committer = Committer(name: name, key: String(repeating: "k", count: 40))
    let provenance = Provenance(committer, onBehalfOf: committer, wallTime: 1, comment: comment)
    #expect(provenance.storedBytes > 256 + 2 * (128 + 40))
    let long = try TargetName(String(repeating: "t", count: 128))
    func forgetting(_ target: TargetName, bytes: Int) -> Transaction {
      let each = Transaction(log: [.forget(target)]).storedBytes
      let count = min(bytes / each, Limits.operationsPerTransaction)
      return Transaction(log: Array(repeating: .forget(target), count: count))
    }
    var room: Int { Limits.waitingBytes - runtime.queue.waiting.bytes }
    var time = 1000.0
    while room > 6000 {
      try runtime.commit(forgetting(long, bytes: room - 5000), at: time)
      time += 1
    }
    // It fits alone, and not with who committed it.
    let last = forgetting("t", bytes: room)
    let error = #expect(throws: Refusal.self) { try runtime.accept(last, at: time, by: provenance) }
    #expect(error?.code == .limit)
    let filled = runtime.queue.waiting.bytes
    runtime.apply(try runtime.accept(forgetting("t", bytes: 100), at: time, by: provenance))
    #expect(runtime.queue.waiting.bytes == filled + provenance.storedBytes + forgetting("t", bytes: 100).storedBytes)
    runtime.applyNow(.withdraw([runtime.plans.last.sequence]))
    #expect(runtime.queue.waiting.bytes == filled)
    try runtime.commit(last, at: time)
  }

  @Test func `changes that could not be written are written with the next checkpoint`() throws {
    let runtime = Runtime()
    runtime.log.keeps.insert(.checkpoints)
    let disk = MemoryDisk()
    var journal = try MemoryJournal(on: disk)
    var mirror = CheckpointMirror()
    let faults: [MemoryDisk.Fault?] = [nil, .full, .broken(durable: 0), .broken(durable: 1), nil, nil]
    for (number, fault) in faults.enumerated() {
      var transaction = Transaction()
      if number > 1 { transaction.remove(named: "home", from: try TargetName("t\(number - 2)")) }
      transaction.add(.anchoredSpring("x", 7), named: "home", to: try TargetName("t\(number)"))
      try runtime.commit(transaction)
      runtime.advance()
      if let fault { disk.fail(with: fault) }
      if fault == nil {
        try check(&mirror, runtime, journal)
      } else {
        #expect(throws: JournalError.self) { try check(&mirror, runtime, journal) }
      }
      if case .broken = fault {
        journal.close()
        journal = try MemoryJournal(on: disk)
        try mirror.found(try journal.contents().checkpoint)
      }
    }
  }

  @Test func `repeated changes take no more memory while the journal cannot be written`() throws {
    var mirror = CheckpointMirror()
    func change(_ order: UInt64, to value: Double) {
      let plan = RuntimeCheckpoint.Plan(
        IntentionIdentity(sequence: order, operation: 0), .springTo("x", Lanes(value)), named: nil, on: "ball")
      mirror.take(.kept(order: order, plan))
    }
    for number in 1...10_000 { change(UInt64(number % 3), to: Double(number)) }
    let few = mirror.pendingBytes
    for number in 1...50_000 { change(UInt64(number % 3), to: Double(number)) }
    #expect(mirror.pendingBytes <= 2 * few + 1000)
    #expect(few < 2048 * 200)
    // The last reported change counts.
    let journal = try MemoryJournal(on: MemoryDisk())
    let runtime = Runtime()
    var head = RuntimeCheckpoint()
    head.lastSequence = 2
    let snapshot = JournalSnapshot(row: 0, head: head, columns: runtime.columns)
    let update = try mirror.update(to: snapshot, in: journal)
    // The target of the plans has never been reported.
    let error = #expect(throws: JournalError.self) {
      try journal.checkpoint(update) { try mirror.check($0, of: snapshot) }
    }
    #expect(error?.code == .unreadable)
    try journal.checkpoint(update)
    let checkpoint = try #require(try journal.contents().checkpoint)
    let world = try JournalCoding.checkpoint(in: checkpoint.body)
    let values = [49_998, 49_999, 50_000].sorted { $0 % 3 < $1 % 3 }
    #expect(world.plans.map(\.intention) == values.map { .springTo("x", Lanes(Double($0))) })
  }
}
