import MotionModel
import MotionWire
import ZeroMQ

extension Caller {
  /// What gateways call themselves.
  static let gatewayName = "motion-gateway"

  /// A request as the gateway sends it on: a commit says for whom it is. What the caller says about that itself does not count,
  /// but for its name.
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
