import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionCoordinator
@testable import MotionCore

/// A checkpoint put together from what changed, against the runtime itself.
struct CheckpointMirrorTests {
  private func check(_ mirror: inout CheckpointMirror, _ runtime: Runtime) throws {
    while let changes = runtime.takeCheckpointChanges(atMost: 5) {
      for change in changes.targets { mirror.take(change) }
      for change in changes.plans { mirror.take(change) }
    }
    let bytes = mirror.bytes(head: runtime.checkpointHead(), runtime.columns)
    #expect(try JournalCoding.checkpoint(in: bytes) == runtime.checkpoint())
  }

  @Test func `it says the same as the runtime after whatever was committed`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "CheckpointMirrorTests"))
    let runtime = Runtime()
    runtime.keepsCheckpoints = true
    var mirror = CheckpointMirror()
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
      try check(&mirror, runtime)
    }
    runtime.applyNow(.stop([]))
    try check(&mirror, runtime)
  }

  @Test func `parts keep their order, and what is gone takes no room for ever`() {
    var parts = OrderedParts()
    for number in 1...5000 { parts.set(UInt64(number), [UInt8](repeating: UInt8(number % 251), count: 40)) }
    for number in 1...4990 { parts.remove(UInt64(number)) }
    parts.set(4995, [1, 2, 3])
    parts.remove(17)
    var seen: [UInt64] = []
    parts.forEach { number, bytes in
      seen.append(number)
      #expect(Array(bytes) == (number == 4995 ? [1, 2, 3] : [UInt8](repeating: UInt8(number % 251), count: 40)))
    }
    #expect(seen == Array(4991...5000))
    #expect(parts.count == 9 * 40 + 3)
  }
}
