import MotionModel
import ZeroMQ

extension Provenance {
  /// Who commits something now: what the connection shows, and what the client says of itself.
  init(of commit: Commit, from peer: PeerName.Peer?, wallTime: Int64) {
    self.init(
      Committer(peer, name: commit.client), onBehalfOf: commit.onBehalfOf, wallTime: wallTime, comment: commit.comment)
  }
}

extension Committer {
  /// Who is at the other end of a connection.
  fileprivate init(_ peer: PeerName.Peer?, name: String) {
    self.init(name: name)
    switch peer {
    case .process(let process): (user, self.process) = (process.userID, process.processID)
    case .key(let key): self.key = key.z85
    case nil: break
    }
  }
}
