import MotionModel
import MotionTestKit
import Testing

@testable import MotionWire

/// The fast path for commits gives the same result as the generated code, or none.
@Suite struct CommitReaderTests {
  @Test func `a written commit is read by the fast reader, unless it has selectors or groups`() throws {
    var generator = Generator()
    var left = 0
    for _ in 0..<SeededRandom.rounds(4_000) {
      let envelope = generator.commit()
      guard case .commit(let commit) = envelope.body else { throw UnexpectedResult() }
      let read = read(envelope.encoded())
      let isPlain = !commit.transaction.hasRequests && commit.transaction.log.allSatisfy { $0.target != nil }
      #expect(read == (isPlain ? envelope : nil))
      left += isPlain ? 0 : 1
    }
    #expect((400...3600).contains(left))
  }

  @Test func `the fast reader gives the same as the generated code`() throws {
    var generator = Generator()
    // Of those with selectors or groups, the fast reader leaves all to the generated code.
    let messages = (0..<200).map { index in
      var bytes = generator.commit().encoded()
      while index % 4 != 0, read(bytes) == nil { bytes = generator.commit().encoded() }
      return bytes
    }
    var (accepted, left) = (0, 0)
    let rounds = SeededRandom.rounds(50_000)
    for _ in 0..<rounds {
      var bytes = generator.pick(messages)
      for _ in 0..<generator.int(1...3) { generator.mutate(&bytes) }
      let read = read(bytes)
      let generated = Result { () throws(WireError) in try decodeByGeneratedCode(bytes) }
      let whole = Result { () throws(WireError) in try Envelope(decoding: bytes) }
      #expect(whole == generated)
      guard let read else {
        left += 1
        continue
      }
      accepted += 1
      #expect(try generated.get() == read)
    }
    // Both must occur often, or the test covers one case only.
    #expect(accepted > rounds / 50 && left > rounds / 50, "\(accepted) accepted, \(left) left to the generated code")
  }

  @Test func `a plan of many targets is read once and shared`() throws {
    let plan = Intention.springTo("position", [1, 2])
    var transaction = Transaction()
    for index in 0..<100 { transaction.add(plan, to: try TargetName("t\(index)")) }
    transaction.add(.springTo("position", [1, 3]), to: "other")
    let envelope = Envelope(incarnation: 1, sequence: 1, .commit(Commit(transaction, id: .random())))
    #expect(read(envelope.encoded()) == envelope)
  }

  @Test func `elements of shared plans are counted for each plan`() throws {
    // A list of a thousand, counted for each of the ten plans that share it, is more than a small message may hold.
    let list = Intention("Tween", [.init("values", .list((0..<1_000).map { .number(Double($0)) }))])
    var transaction = Transaction()
    for index in 0..<10 { transaction.add(list, to: try TargetName("t\(index)")) }
    let bytes = Envelope(incarnation: 1, sequence: 1, .commit(Commit(transaction, id: .random()))).encoded()
    #expect(bytes.withUnsafeBytes { try? FastPath.envelope(in: $0, limit: 1 << 18) } == nil)
    #expect(throws: WireError.self) { try Envelope(decoding: bytes, limit: 1 << 18) }
  }

  private func read(_ bytes: [UInt8]) -> Envelope? {
    bytes.withUnsafeBytes { try? FastPath.envelope(in: $0, limit: Limits.clientMessageBytes).envelope }
  }

  /// The whole decoding without the fast path, the version first.
  private func decodeByGeneratedCode(_ bytes: [UInt8]) throws(WireError) -> Envelope {
    try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      try Envelope(decodingByGeneratedCode: buffer, limit: Limits.clientMessageBytes)
    }
  }
}

extension Generator {
  /// A commit with random content.
  fileprivate mutating func commit() -> Envelope {
    while true {
      let envelope = envelope(of: 1)
      if case .commit = envelope.body { return envelope }
    }
  }
}
