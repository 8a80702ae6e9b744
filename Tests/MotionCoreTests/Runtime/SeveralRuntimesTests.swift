import MotionCore
import MotionModel
import Testing

/// Many runtimes may exist side by side.
struct SeveralRuntimesTests {
  // Clauses: S8.22
  @Test func `runtimes in one process do not affect each other`() throws {
    let seed = TestSeed.value
    let alone = try hashes(of: [try Chaos(seed: seed)])
    let together = try hashes(of: [try Chaos(seed: seed), try Chaos(seed: seed + 1), try Chaos(seed: seed)])
    #expect(together[0] == alone[0], "seed \(seed)")
    #expect(together[2] == alone[0], "seed \(seed)")
    #expect(together[1] != alone[0], "seed \(seed)")
  }

  private func hashes(of chaoses: [Chaos]) throws -> [[UInt64]] {
    var hashes: [[UInt64]] = chaoses.map { _ in [] }
    for chaos in chaoses { chaos.runtime.computesHashes = true }
    for _ in 0..<200 {
      for (index, chaos) in chaoses.enumerated() {
        try chaos.happen()
        chaos.runtime.advance()
        hashes[index].append(chaos.runtime.frameHash)
      }
    }
    return hashes
  }
}
