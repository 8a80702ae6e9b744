import MotionLink
import MotionModel
import MotionTestKit
import Testing

@Suite struct TokenSetTests {
  @Test func `equal token sets have equal hashes, whatever their history`() throws {
    let seed = SeededRandom.seed(of: "TokenSetTests")
    var random = SeededRandom(seed: seed)
    var set = TokenSet()
    for _ in 0..<2000 {
      let executor = ExecutorHandle(UInt32.random(in: 0..<4, using: &random))
      let name = try TokenName("t\(Int.random(in: 0..<4, using: &random))")
      if random.chance(0.5) { set.insert(name, of: executor) } else { set.remove(name, of: executor) }
      var fresh = TokenSet()
      for executor in (0..<4).reversed().map({ ExecutorHandle($0) }) {
        for name in set[executor].sorted() { fresh.insert(name, of: executor) }
      }
      #expect(fresh == set && fresh.stableHash == set.stableHash, "seed \(seed)")
    }
  }

  @Test func namesBelongToTheirExecutors() {
    var one = TokenSet()
    one.insert("drag", of: ExecutorHandle(1))
    var two = TokenSet()
    two.insert("drag", of: ExecutorHandle(2))
    #expect(one.stableHash != two.stableHash)
    #expect(one.insert("drag", of: ExecutorHandle(1)) == false)
    #expect(one.remove("pinch", of: ExecutorHandle(1)) == false)
    one.remove("drag", of: ExecutorHandle(1))
    #expect(one.isEmpty)
    #expect(one.stableHash == TokenSet().stableHash)
  }
}
