import MotionModel
import Testing

@testable import MotionCoordinator

struct CommitMemoryTests {
  private static let digest = TransactionDigest(high: 1, low: 1)
  private static func id(_ number: Int) -> TransactionID { TransactionID(high: 0, low: UInt64(number)) }

  @Test func `the same id and body get the first receipt, and another body is detected`() {
    var memory = CommitMemory()
    #expect(memory.recall(Self.id(1), Self.digest, at: .zero) == .new)
    memory.remember(Self.id(1), Self.digest, Receipt(sequence: 5, frame: 3), at: .zero)
    #expect(
      memory.recall(Self.id(1), Self.digest, at: .seconds(1)) == .same(Receipt(sequence: 5, frame: 3, isRepeat: true)))
    #expect(memory.recall(Self.id(1), TransactionDigest(high: 1, low: 2), at: .seconds(1)) == .other)
    #expect(memory.recall(Self.id(2), Self.digest, at: .seconds(1)) == .new)
  }

  @Test func `an id is kept for 24 hours`() {
    var memory = CommitMemory()
    memory.remember(Self.id(1), Self.digest, Receipt(sequence: 1), at: .zero)
    #expect(memory.recall(Self.id(1), Self.digest, at: .seconds(86_400)) != .new)
    #expect(memory.recall(Self.id(1), Self.digest, at: .seconds(86_401)) == .new)
  }

  @Test func `a hundred thousand ids are kept, and the oldest are dropped first`() {
    var memory = CommitMemory()
    let count = Limits.rememberedTransactions
    for number in 0..<(2 * count + 10) {
      memory.remember(Self.id(number), Self.digest, Receipt(sequence: UInt64(number)), at: .zero)
    }
    #expect(memory.recall(Self.id(count + 9), Self.digest, at: .zero) == .new)
    #expect(memory.recall(Self.id(count + 10), Self.digest, at: .zero) != .new)
    #expect(memory.recall(Self.id(2 * count + 9), Self.digest, at: .zero) != .new)
  }
}
