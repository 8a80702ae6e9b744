import FuzzTargets
import MotionTestKit
import Testing

/// Random sequences of legal extreme operations, without a fuzzer: a fuzzer finds more, but needs a compiler of its
/// own.
struct SequenceTests {
  // Clauses: S9.19, S9.23
  @Test func `a random sequence of extreme operations neither traps nor leaves the range of numbers`() throws {
    let target = try #require(FuzzTarget.all().first { $0.name == "sequences" })
    let seed = SeededRandom.seed(of: "sequences of extreme operations")
    var random = SeededRandom(seed: seed)
    for round in 0..<150 {
      let bytes = (0..<Int.random(in: 50...500, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(throws: Never.self, "round \(round) of seed \(seed)") { try target.run(bytes) }
    }
  }
}
