import MotionCore
import MotionFiles
import MotionModel

/// Files of what pointers did, and what gestures make of it.
enum Pointers {
  static func run(_ bytes: [UInt8], _ registry: ExecutorRegistry) throws {
    try values(bytes)
    let file: PointerTraceFile
    do throws(FileErrors) {
      file = try PointerTraceFile(bytes, named: "hand.jsonl", target: "ball")
    } catch {
      return try Told.check(error)
    }
    do {
      let again = try PointerTraceFile(Array(file.encoded().utf8), named: "hand.jsonl")
      try require(again == file, "\(file) is written so that it is read as \(again)")
    } catch let error as FileErrors {
      throw FuzzFinding("\(file) is written so that it is refused: \(error)")
    }
    try play(file.entries.prefix(40).map { PointerInput($0.target, from: $0.device, [$0.event]) }, registry)
  }

  /// The bytes as a line of input values: what is read is well-formed, and has each name once.
  private static func values(_ bytes: [UInt8]) throws {
    let values: [InputValue]
    do throws(FileErrors) {
      values = try InputValueLine(bytes, number: 1, named: "values.jsonl").values
    } catch {
      return try Told.check(error)
    }
    try require(values.allSatisfy(\.isWellFormed), "\(values) are not well-formed")
    try require(Set(values.map(\.name)).count == values.count, "\(values) have a name twice")
  }

  /// Hands to a runtime what pointers did, with a frame after each input.
  static func play(_ inputs: [PointerInput], _ registry: ExecutorRegistry) throws {
    let runtime = Runtime(registry: registry)
    var transaction = Transaction()
    for intention in [Intention.draggable(), .pinchable(), .rotatable(), .setPositionOnTap()] {
      transaction.add(intention, to: "ball")
    }
    transaction.add(.tossable(destination: [10, 10]), to: "ball")
    _ = try runtime.commit(transaction)
    try World.run(runtime, frames: 1)
    for input in inputs {
      do throws(Refusal) { try runtime.submit(input) } catch { try Told.check(error) }
      try World.run(runtime, frames: 1)
    }
    try World.run(runtime, frames: 4)
    try World.checkpoint(runtime)
  }
}
