import MotionModel
import MotionWire
import Testing

@Suite struct TokenSetHashTests {
  private let tokens: [(ExecutorHandle, TokenName)] = [
    (ExecutorHandle(2), "fade"), (ExecutorHandle(1), "fade"), (ExecutorHandle(1), "drag"), (ExecutorHandle(1), "ä"),
  ]

  @Test func theOrderDoesNotMatter() {
    var generator = Generator()
    let hash = TokenSetHash.hash(tokens)
    for _ in 0..<100 {
      var shuffled = tokens
      for index in shuffled.indices { shuffled.swapAt(index, generator.int(0...shuffled.count - 1)) }
      #expect(TokenSetHash.hash(shuffled) == hash)
    }
  }

  @Test func everyTokenMatters() {
    var hashes: Set = [TokenSetHash.hash(tokens), TokenSetHash.hash([])]
    for index in tokens.indices {
      var fewer = tokens
      fewer.remove(at: index)
      hashes.insert(TokenSetHash.hash(fewer))
    }
    // Neighbouring names must not run together.
    let names: [(TokenName, TokenName)] = [("ab", "c"), ("a", "bc")]
    for (first, second) in names {
      hashes.insert(TokenSetHash.hash([(ExecutorHandle(1), first), (ExecutorHandle(1), second)]))
    }
    #expect(hashes.count == tokens.count + 4)
  }

  /// Both ends may be of different builds, and one of them in another language: the hash never changes.
  @Test func theHashIsThatOfTheProtocol() {
    #expect(TokenSetHash.hash([]) == 17_280_346_270_528_514_342)
    #expect(TokenSetHash.hash(tokens) == 8_663_806_442_722_935_215)
  }
}
