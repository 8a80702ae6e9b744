import MotionModel
import ZeroMQ

extension Provenance {
  /// The provenance of a present commit: its connection's peer, and the client's own description.
  init(of commit: Commit, from peer: PeerName.Peer?, wallTime: Int64) {
    self.init(
      Committer(peer, name: commit.client), onBehalfOf: commit.onBehalfOf, wallTime: wallTime, comment: commit.comment)
  }
}

extension Committer {
  /// The committer, by the peer of its connection.
  init(_ peer: PeerName.Peer?, name: String) {
    self.init(name: name)
    switch peer {
    case .process(let process): (user, self.process) = (process.userID, process.processID)
    case .key(let key): self.key = key.z85
    case nil: break
    }
  }
}
