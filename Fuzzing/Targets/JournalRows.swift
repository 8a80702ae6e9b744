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
    let rows = bodies.enumerated().map { index, body in
      JournalRow(sequence: UInt64(index) + 2, wallTime: 1, body: body)
    }
    // Of each piece also the receipt, as if it were one: most are none, and are refused.
    let contents = JournalContents(
      checkpoint: checkpoint.isEmpty ? nil : JournalCheckpoint(sequence: 1, body: checkpoint),
      rows: rows.filter { (try? JournalCoding.entry(in: $0.body)) != nil || bodies.count == 1 },
      identities: bodies.filter { (try? JournalCoding.receipt(in: $0)) != nil }.map(identity))
    let runtime = Runtime(registry: registry)
    runtime.keepsCheckpoints = true
    do {
      let recovery = try Recovery(contents, into: runtime)
      try require(recovery.clock.time.isFinite && recovery.clock.speed.isFinite, "the clock is at \(recovery.clock)")
    } catch let error as StartError {
      return try require(!error.problem.isEmpty && !error.remedy.isEmpty, "a start is refused without words")
    }
    try World.goOn(runtime)
    try World.checkpoint(runtime)
  }

  private static func identity(_ answer: [UInt8]) -> JournalIdentity {
    JournalIdentity(
      identity: [UInt8](repeating: 1, count: 16), sequence: 2, wallTime: 1, digest: [UInt8](repeating: 2, count: 32),
      answer: answer)
  }

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
