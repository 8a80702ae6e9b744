import MotionModel
import Testing

@Suite struct CommitDigestTests {
  private func commit(_ intention: Intention, at: Double? = nil, whileConnected: Bool = false) -> Commit {
    var transaction = Transaction()
    transaction.add(intention, to: "ball")
    return Commit(transaction, id: .random(), at: at, whileConnected: whileConnected)
  }

  @Test func `the digest is the same in every process`() {
    let value = commit(.tween("opacity", from: 0, to: 1, duration: .seconds(2)), at: 1.5).digest
    #expect(value.description == "36a690e14cdf325fb43b902f5960a607")
    #expect(value.high != value.low)
  }

  @Test func `the digest depends on everything but the id and the time`() {
    let base = commit(.springTo("position", [1, 2]))
    #expect(base.digest == commit(.springTo("position", [1, 2])).digest)
    #expect(base.digest == commit(.springTo("position", [1, 2]), at: 2).digest)
    var named = Transaction()
    named.add(.springTo("position", [1, 2]), named: "ball", to: "ball")
    var others = [
      commit(.springTo("position", [1, 3])), commit(.springTo("position", 1)),
      commit(.anchoredSpring("position", [1, 2])),
      commit(.springTo("position", [1, 2]), whileConnected: true),
      commit(.springTo("position", [1, 2]).priority(1)), commit(.springTo("position", [1, 2]).priority(-1)),
      Commit(named, id: base.id), Commit(Transaction(), id: base.id),
    ]
    let shapes: [FieldValue] = [
      .text("a"), .choice("a"), .property("a"), .number(0), .number(-0.0), .flag(false), .duration(.zero), .list([]),
      .list([.list([])]), .list([.list([]), .list([])]), .reference(PropertyReference("a", "a")), .vector([0, 0]),
      .vector([0, 0, 0]), .duration(Duration(attoseconds: 1 << 64)),
    ]
    others += shapes.map { commit(Intention("Probe", [.init("f", $0)])) }
    #expect(Set((others + [base]).map(\.digest)).count == others.count + 1)
  }
}
