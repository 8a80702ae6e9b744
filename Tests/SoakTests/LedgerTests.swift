import Testing

@testable import motion_soak

/// Acknowledged plans are compared with the present ones, and the comparisons are counted.
struct LedgerTests {
  @Test func `a state equal to the acknowledged one passes the audit`() {
    var state = Ledger.State()
    state.acknowledge("a", 1, forgetting: [])
    state.acknowledge("b", 2, forgetting: ["a"])
    #expect(state.audit(["b": 2], isOfStart: false) == [])
  }

  @Test func `lost, changed and unexpected plans are found`() {
    var state = Ledger.State()
    state.acknowledge("a", 1, forgetting: [])
    state.acknowledge("b", 2, forgetting: [])
    state.acknowledge("c", 3, forgetting: [])
    #expect(state.audit(["a": 1, "b": 2, "c": 3], isOfStart: false) == [])
    state.acknowledge("d", 4, forgetting: ["c"])
    #expect(
      state.audit(["b": 7, "c": 3, "d": 4], isOfStart: true) == [
        "a was acknowledged as 1 and is not there", "b was acknowledged as 2 and is 7",
        "c is there, and was not acknowledged",
      ])
    #expect((state.audits, state.auditsOfStarts) == (2, 1))
  }

  @Test func `a plan that is forgotten before a comparison is not counted as compared`() {
    var state = Ledger.State()
    state.acknowledge("a", 1, forgetting: [])
    state.acknowledge("b", 2, forgetting: ["a"])
    _ = state.audit(["b": 2], isOfStart: false)
    #expect((state.receipts, state.compared, state.comparisons) == (2, 1, 1))
    // A plan that is compared again is counted once.
    state.acknowledge("c", 3, forgetting: [])
    _ = state.audit(["b": 2, "c": 3], isOfStart: false)
    #expect((state.receipts, state.compared, state.comparisons) == (3, 2, 3))
  }
}
