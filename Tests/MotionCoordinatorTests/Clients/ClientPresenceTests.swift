import Testing

@testable import MotionCoordinator

struct ClientPresenceTests {
  @Test func `what a silent client committed is withdrawn after 3 s, in order, once`() {
    var presence = ClientPresence()
    presence.committed(7, by: 1, at: .zero)
    presence.committed(5, by: 2, at: .zero)
    presence.committed(3, by: 1, at: .seconds(0.5))
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
    presence.committed(1, by: 1, at: .zero)
    presence.wasStalled(at: .seconds(10))
    #expect(presence.takeGone(at: .seconds(12.9)) == [])
    #expect(presence.takeGone(at: .seconds(13)) == [1])
  }
}
