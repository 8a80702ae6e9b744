import MotionCoordinator
import MotionCore
import MotionJournal
import MotionModel
import MotionWire

/// A checkpoint, then rows and receipts, as a journal gives them to a start: each can be written again as it was, and a
/// runtime goes on from all of them, or the start is refused in words.
enum JournalRows {
  static func run(_ bytes: [UInt8], _ registry: ExecutorRegistry) throws {
    var pieces = Pieces(bytes)
    let checkpoint = pieces.next() ?? []
    let bodies = Array(pieces)
    try again(checkpoint, bodies)
    // One that cannot be read refuses the start, so that nothing comes of the others: tried with all, and without those. Each
    // is also a receipt, as if it were one: most are none.
    try start(from: checkpoint, rows: bodies, receipts: bodies, registry)
    try start(
      from: checkpoint, rows: bodies.filter { (try? JournalCoding.entry(in: $0)) != nil },
      receipts: bodies.filter { (try? JournalCoding.receipt(in: $0)) != nil && $0.count >= 32 }, registry)
  }

  private static func start(
    from checkpoint: [UInt8], rows: [[UInt8]], receipts: [[UInt8]], _ registry: ExecutorRegistry
  ) throws {
    let contents = JournalContents(
      checkpoint: checkpoint.isEmpty ? nil : JournalCheckpoint(sequence: 1, body: checkpoint),
      rows: rows.enumerated().map { row(UInt64($0) + 2, $1) },
      identities: receipts.enumerated().map { identity(UInt64($0) + 2, $1) })
    let runtime = Runtime(registry: registry)
    runtime.log.keeps.insert(.checkpoints)
    do {
      let recovery = try Recovery(contents, into: runtime)
      try require(recovery.clock.time.isFinite && recovery.clock.speed.isFinite, "the clock is at \(recovery.clock)")
    } catch let error as StartError {
      return try require(!error.problem.isEmpty && !error.remedy.isEmpty, "a start is refused without words")
    }
    try World.goOn(runtime)
    try World.checkpoint(runtime)
  }

  /// Of any time; every other takes back what the same bytes begin with.
  private static func row(_ sequence: UInt64, _ body: [UInt8]) -> JournalRow {
    let takesBack = (body.last ?? 0) & 1 == 1
    return JournalRow(
      sequence: sequence, wallTime: time(in: body), identity: takesBack ? Array(body.prefix(16)) : [], body: body)
  }

  /// Of any time, with an id and a digest that may be too short.
  private static func identity(_ sequence: UInt64, _ body: [UInt8]) -> JournalIdentity {
    JournalIdentity(
      identity: Array(body.prefix(16)), sequence: sequence, wallTime: time(in: body), digest: Array(body.suffix(32)),
      answer: body)
  }

  private static func time(in body: [UInt8]) -> Int64 { body.suffix(8).reduce(0) { $0 << 8 | Int64($1) } }

  private static func again(_ checkpoint: [UInt8], _ bodies: [[UInt8]]) throws {
    do {
      let world = try JournalCoding.checkpoint(in: checkpoint)
      let written = try? JournalCoding.checkpoint(in: JournalCoding.bytes(of: world))
      try require(written == world, "\(world) is written so that it is read otherwise")
    } catch let error as WireError {
      try Told.check(error)
    }
    for body in bodies {
      do {
        let entry = try JournalCoding.entry(in: body)
        let written = try? JournalCoding.entry(in: JournalCoding.bytes(of: entry))
        try require(written == entry, "\(entry) is written so that it is read otherwise")
      } catch let error as WireError {
        try Told.check(error)
      }
      guard let receipt = try? JournalCoding.receipt(in: body) else { continue }
      let written = try? JournalCoding.receipt(in: JournalCoding.bytes(of: receipt))
      try require(written == receipt, "\(receipt) is written so that it is read otherwise")
    }
  }
}
