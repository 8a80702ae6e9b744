import MotionModel
import Testing

@testable import MotionCoordinator

struct ClientPresenceTests {
  @Test func `the held plans of a silent client are withdrawn after 3 s, in order, once`() {
    var presence = ClientPresence()
    presence.committed(7, by: 1, at: .zero) { $0 }
    presence.committed(5, by: 2, at: .zero) { $0 }
    presence.committed(3, by: 1, at: .seconds(0.5)) { $0 }
    presence.heard(2, at: .seconds(1))
    #expect(presence.nextDeadline == .seconds(3.5))
    #expect(presence.takeGone(at: .seconds(3.4), pointersAt: 0).sequences == [])
    #expect(presence.takeGone(at: .seconds(3.5), pointersAt: 0).sequences == [3, 7])
    #expect(presence.takeGone(at: .seconds(4), pointersAt: 0).sequences == [5])
    #expect(presence.takeGone(at: .seconds(100), pointersAt: 0).sequences == [])
    #expect(presence.nextDeadline == nil)
  }

  // Clauses: S11.29
  @Test func holdCancelsThePointersThatAreDown() {
    var presence = ClientPresence()
    let down = PointerEvent(id: 1, .down, at: [3, 4], time: 1)
    presence.touched(PointerInput("a", from: "hand", [down]), by: 7, at: .zero)
    #expect(presence.cancelPointers(at: 2).flatMap(\.events).map(\.phase) == [.cancel])
    #expect(presence.cancelPointers(at: 3).isEmpty && presence.nextDeadline == nil)
    // Values of the same client stay, and are withdrawn when it is gone.
    presence.touched(PointerInput("a", from: "hand", [down]), by: 7, at: .zero)
    presence.sent(InputValues(from: "desk", [InputValue("fader", 0.5)]), by: 7, at: .zero)
    #expect(presence.cancelPointers(at: 4).count == 1 && presence.watches("fader"))
    #expect(presence.takeGone(at: .seconds(4), pointersAt: 5).values == ["fader"])
  }

  @Test func `a client without held plans or pointers is not watched`() {
    var presence = ClientPresence()
    presence.heard(1, at: .zero)
    #expect(presence.nextDeadline == nil)
  }

  @Test func `silence during a suspension of the coordinator does not count`() {
    var presence = ClientPresence()
    presence.committed(1, by: 1, at: .zero) { $0 }
    presence.wasStalled(at: .seconds(10))
    #expect(presence.takeGone(at: .seconds(12.9), pointersAt: 0).sequences == [])
    #expect(presence.takeGone(at: .seconds(13), pointersAt: 0).sequences == [1])
  }

  @Test func `only the live transactions of a client that commits without end are kept`() {
    var presence = ClientPresence()
    var most = 0
    for sequence in 1...1_000_000 {
      // Every thousandth holds, the others end at once.
      presence.committed(UInt64(sequence), by: 1, at: .zero) { $0.filter { $0 % 1000 == 0 } }
      most = max(most, presence.sequenceCount(of: 1))
    }
    #expect(most <= ClientPresence.sequencesKept)
    #expect(presence.takeGone(at: .seconds(3), pointersAt: 0).sequences.count { $0 % 1000 == 0 } == 1000)
  }

  @Test func `the transactions of a client are filtered less often the more of them are live`() {
    var presence = ClientPresence()
    var looks = 0
    for sequence in 1...1_000_000 {
      presence.committed(UInt64(sequence), by: 1, at: .zero) { sequences in
        looks += 1
        return sequences
      }
    }
    #expect(looks == 6)
    #expect(presence.takeGone(at: .seconds(3), pointersAt: 0).sequences.count == 1_000_000)
  }

  // Clauses: S8.32
  @Test func `the pointers of a disconnected client are cancelled in place, those of others stay`() {
    func input(_ phase: PointerEvent.Phase, _ id: UInt64, _ x: Double, time: Double = 0) -> PointerInput {
      PointerInput("ball", from: "hand", [PointerEvent(id: id, phase, at: [x, 0], time: time)])
    }
    var presence = ClientPresence()
    presence.touched(input(.down, 1, 10), by: 1, at: .zero)
    presence.touched(input(.move, 1, 20), by: 1, at: .seconds(1))
    presence.touched(input(.down, 2, 30), by: 2, at: .seconds(1))
    presence.touched(input(.down, 3, 40), by: 3, at: .zero)
    presence.touched(input(.up, 3, 40), by: 3, at: .zero)
    #expect([1, 2, 3].map(presence.pointerCount) == [1, 1, 0])
    presence.heard(2, at: .seconds(2))
    #expect(presence.nextDeadline == .seconds(4), "who lifted its pointers is not watched")
    #expect(
      presence.takeGone(at: .seconds(4), pointersAt: 7)
        == ClientPresence.Remains(inputs: [input(.cancel, 1, 20, time: 7)]))
    #expect(presence.nextDeadline == .seconds(5))
    #expect(presence.takeGone(at: .seconds(5), pointersAt: 8).inputs == [input(.cancel, 2, 30, time: 8)])
    #expect(presence.nextDeadline == nil)
  }

  // Clauses: S20.7
  @Test func `a value belongs to the client that sent it last, unless it is held`() {
    func values(_ names: InputName..., held: Bool = false, withdrawn: Bool = false) -> InputValues {
      InputValues(from: "desk", names.map { InputValue($0, withdrawn ? nil : 1, isHeld: held) })
    }
    var presence = ClientPresence()
    presence.sent(values("a", "b", "c", "d"), by: 1, at: .zero)
    presence.sent(values("b"), by: 2, at: .seconds(1))
    presence.sent(values("c", held: true), by: 2, at: .seconds(1))
    presence.sent(values("d", withdrawn: true), by: 3, at: .seconds(1))
    presence.sent(values("e", held: true), by: 3, at: .seconds(1))
    #expect(presence.takeGone(at: .seconds(3), pointersAt: 0) == ClientPresence.Remains(values: ["a"]))
    #expect(presence.nextDeadline == .seconds(4))
    presence.sent(values("b", held: true), by: 2, at: .seconds(2))
    #expect(presence.takeGone(at: .seconds(9), pointersAt: 0) == ClientPresence.Remains())
    #expect(presence.nextDeadline == nil)
    presence.sent(values("a", "b"), by: 1, at: .seconds(10))
    #expect(presence.takeGone(at: .seconds(13), pointersAt: 0).values == ["a", "b"])
  }
}
