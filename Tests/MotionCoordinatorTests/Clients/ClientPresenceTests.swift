import Testing

@testable import MotionCoordinator

struct ClientPresenceTests {
  @Test func `what a silent client committed is withdrawn after 3 s, in order, once`() {
    var presence = ClientPresence()
    presence.committed(7, by: 1, at: .zero) { $0 }
    presence.committed(5, by: 2, at: .zero) { $0 }
    presence.committed(3, by: 1, at: .seconds(0.5)) { $0 }
    presence.heard(2, at: .seconds(1))
    #expect(presence.nextDeadline == .seconds(3.5))
    #expect(presence.takeGone(at: .seconds(3.4)) == [])
    #expect(presence.takeGone(at: .seconds(3.5)) == [3, 7])
    #expect(presence.takeGone(at: .seconds(4)) == [5])
    #expect(presence.takeGone(at: .seconds(100)) == [])
    #expect(presence.nextDeadline == nil)
  }

  @Test func `a client that committed nothing of the kind is not watched`() {
    var presence = ClientPresence()
    presence.heard(1, at: .zero)
    #expect(presence.nextDeadline == nil)
  }

  @Test func `silence while the coordinator was stopped does not count`() {
    var presence = ClientPresence()
    presence.committed(1, by: 1, at: .zero) { $0 }
    presence.wasStalled(at: .seconds(10))
    #expect(presence.takeGone(at: .seconds(12.9)) == [])
    #expect(presence.takeGone(at: .seconds(13)) == [1])
  }

  @Test func `of a client that stays and commits no end of things only what is left of them is kept`() {
    var presence = ClientPresence()
    var most = 0
    for sequence in 1...1_000_000 {
      // Every thousandth holds, the others end at once.
      presence.committed(UInt64(sequence), by: 1, at: .zero) { $0.filter { $0 % 1000 == 0 } }
      most = max(most, presence.sequenceCount(of: 1))
    }
    #expect(most <= ClientPresence.sequencesKept)
    #expect(presence.takeGone(at: .seconds(3)).count { $0 % 1000 == 0 } == 1000)
  }

  @Test func `a client of which everything holds is looked at ever more seldom`() {
    var presence = ClientPresence()
    var looks = 0
    for sequence in 1...1_000_000 {
      presence.committed(UInt64(sequence), by: 1, at: .zero) { sequences in
        looks += 1
        return sequences
      }
    }
    #expect(looks == 6)
    #expect(presence.takeGone(at: .seconds(3)).count == 1_000_000)
  }
}
