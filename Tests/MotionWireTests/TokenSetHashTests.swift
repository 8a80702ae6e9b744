import MotionModel
import MotionWire
import Testing

@Suite struct TokenSetHashTests {
  private let tokens: [(ExecutorHandle, TokenName)] = [
    (ExecutorHandle(2), "fade"), (ExecutorHandle(1), "fade"), (ExecutorHandle(1), "drag"), (ExecutorHandle(1), "ä"),
  ]

  @Test func `the hash does not depend on the order`() {
    var generator = Generator()
    let hash = TokenSetHash.hash(tokens)
    for _ in 0..<100 {
      var shuffled = tokens
      for index in shuffled.indices { shuffled.swapAt(index, generator.int(0...shuffled.count - 1)) }
      #expect(TokenSetHash.hash(shuffled) == hash)
    }
  }

  @Test func `the hash depends on every token`() {
    var hashes: Set = [TokenSetHash.hash(tokens), TokenSetHash.hash([])]
    for index in tokens.indices {
      var fewer = tokens
      fewer.remove(at: index)
      hashes.insert(TokenSetHash.hash(fewer))
    }
    // Adjacent names must not merge.
    let names: [(TokenName, TokenName)] = [("ab", "c"), ("a", "bc")]
    for (first, second) in names {
      hashes.insert(TokenSetHash.hash([(ExecutorHandle(1), first), (ExecutorHandle(1), second)]))
    }
    #expect(hashes.count == tokens.count + 4)
  }

  /// Both ends may be of different builds, and one of them in another language: the hash never changes.
  @Test func `the hash is the protocol's`() {
    #expect(TokenSetHash.hash([]) == 0)
    #expect(TokenSetHash.hash("fade", of: ExecutorHandle(1)) == 683_817_643_480_816_419)
    #expect(TokenSetHash.hash(tokens) == 16_349_894_971_700_220_847)
  }
}
