import MotionModel
import MotionWire
import ZeroMQ

extension Caller {
  /// The client name that every gateway uses at motiond.
  static let gatewayName = "motion-gateway"

  /// The request as the gateway forwards it. A commit names the caller in `onBehalfOf`. The values that the caller
  /// sends for itself there are replaced, except for its name.
  func signed(_ body: Envelope.Body) -> Envelope.Body {
    guard case .commit(var commit) = body else { return body }
    var committer = Committer(name: commit.client)
    switch name.peer {
    case .process(let process): (committer.user, committer.process) = (process.userID, process.processID)
    case .key(let key): committer.key = key.z85
    }
    commit.client = Self.gatewayName
    commit.onBehalfOf = committer
    return .commit(commit)
  }
}
