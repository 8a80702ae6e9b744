import Testing
import ZeroMQ

@testable import MotionGateway

struct AdmittedKeysTests {
  @Test func `only callers with a key depend on the keys, and changes are counted`() throws {
    let keys = try (0..<3).map { _ in try CurveKey.generate().publicKey }
    var admitted = AdmittedKeys([keys[0], keys[1]])
    let local = PeerName.Peer.process(LocalPeer(userID: 1, groupID: 1, processID: 10))
    #expect(admitted.allows(local) && admitted.allows(.key(keys[1])) && !admitted.allows(.key(keys[2])))
    var change = admitted.replace(with: [keys[0], keys[2]])
    #expect(change.added == 1 && change.revoked == 1)
    #expect(admitted.allows(local) && !admitted.allows(.key(keys[1])) && admitted.allows(.key(keys[2])))
    change = admitted.replace(with: [])
    #expect(change.added == 0 && change.revoked == 2)
    #expect(admitted.allows(local) && admitted.count == 0)
  }
}
