import MotionModel
import Testing

@Suite struct TransactionTests {
  // Clauses: S8.1
  @Test func targetsAreInOrderOfFirstMention() {
    var transaction = Transaction()
    transaction.remove(named: "a", from: "gone")
    transaction.add(.springTo("x", 1), to: "ball")
    transaction.forget("old")
    transaction.add(.springTo("x", 2), named: "a", to: "gone")
    #expect(transaction.targets == ["gone", "ball", "old"])
    #expect(transaction.log.map(\.target) == ["gone", "ball", "old", "gone"])
  }

  // Clauses: S8.2
  @Test func intentionsAreCopiedWhenAdded() {
    var intention = Intention("Custom", [.init("amount", .number(1))])
    var transaction = Transaction()
    transaction.add(intention, to: "ball")
    let before = transaction
    intention.type = "Other"
    #expect(transaction == before)
    transaction.add(intention, to: "ball")
    #expect(transaction.log.first != transaction.log.last)
  }
}
