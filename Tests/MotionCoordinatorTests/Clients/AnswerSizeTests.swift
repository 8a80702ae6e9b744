import MotionCore
import MotionModel
import MotionWire
import Testing

@testable import MotionCoordinator

struct AnswerSizeTests {
  /// A runtime with rows of every kind.
  private func runtime(_ count: Int) throws -> Runtime {
    let runtime = Runtime(ratePerSecond: 100)
    var transaction = Transaction()
    for number in 0..<count {
      let target = try TargetName("a-target-with-quite-a-long-name-\(number)")
      transaction.add(.anchoredSpring("color", [Double(number), 2, 3, 4]), named: "anchor", to: target)
      transaction.add(.springTo("rotation", 1), to: target)
    }
    try runtime.commit(transaction)
    runtime.advance()
    return runtime
  }

  @Test func `the estimated size of an answer is at least its size, and less than six times that`() throws {
    let runtime = try runtime(1000)
    let queries: [Query] = [
      .targets, .properties(nil), .executors(nil), .intentions(nil), .tokens(nil), .types(nil), .graph(nil),
      .properties("a-target-with-quite-a-long-name-7"),
    ]
    for query in queries {
      let answer = try #require(try runtime.answer(query))
      let size = AnswerSize(answer)
      let bytes = Envelope(.answer(answer)).encoded().count
      // Envelope and the enclosing lists take a few bytes more.
      #expect(bytes <= size.bytes + 40, "\(query)")
      #expect(size.bytes <= 6 * bytes, "\(query)")
      #expect(size.isAcceptable)
    }
  }

  @Test func `the estimate counts elements as receivers do`() throws {
    let answer = try #require(try runtime(100).answer(.intentions(nil)))
    let size = AnswerSize(answer)
    let encoded = Envelope(.answer(answer)).encoded()
    // 200 rows with two fields each at least; a receiver that accepts so many elements and no fewer bytes accepts it.
    #expect(size.elements >= 600)
    #expect(throws: Never.self) { try Envelope(decoding: encoded, limit: max(encoded.count, size.elements * 64)) }
  }

  @Test func `an answer that receivers would not accept is detected before it is built`() throws {
    let text = FieldValue.text(String(repeating: "x", count: Limits.textBytes))
    let intention = Intention("Speak", [Intention.Field("words", .list(Array(repeating: text, count: 4096)))])
    let row = IntentionRow(
      identity: IntentionIdentity(sequence: 1, operation: 0), target: "ball", name: nil, intention: intention,
      kind: .standing, executor: "Speaker", state: .added)
    #expect(!AnswerSize(.intentions([row])).isAcceptable)
    let numbers = Intention("Count", [Intention.Field("numbers", .list(Array(repeating: .number(1), count: 4096)))])
    var small = row
    small.intention = numbers
    #expect(AnswerSize(.intentions([small])).isAcceptable)
    // Few bytes, too many elements.
    #expect(!AnswerSize(.intentions(Array(repeating: small, count: 300))).isAcceptable)
  }
}
