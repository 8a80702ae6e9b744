import MotionLink
import MotionModel
import MotionWire

/// Why a claim is refused.
extension Refusal {
  static var stopping: Refusal {
    Refusal(.stopping, "motiond is stopping", remedy: "Claim again when it has restarted")
  }

  static func versions(of claim: Claim) -> Refusal {
    let (theirs, ours) = (claim.handshakeVersions, ProtocolVersion.handshake)
    return Refusal(
      .version,
      "the worker uses handshake \(theirs.lowerBound) to \(theirs.upperBound), motiond \(ours.lowerBound) to "
        + "\(ours.upperBound)", remedy: "Build the plugin with a kit of the same protocol as this motiond")
  }

  static func notRemote(_ claim: Claim) -> Refusal {
    Refusal(
      .noAssignment, "\(claim.address) is not authorized as a remote worker",
      remedy: "Write worker, the worker's public key and \(claim.address.plugin) into motiond's file of authorized "
        + "keys, and send motiond HUP")
  }

  static func foreignKey(_ claim: Claim) -> Refusal {
    Refusal(
      .noAssignment, "this key is not authorized for \(claim.address)",
      remedy: "Authorize the worker's public key for it, or use the authorized key")
  }

  static func unknownAssignment(_ claim: Claim, problem: String) -> Refusal {
    Refusal(
      .noAssignment, "worker \(claim.address) does not exist" + (problem.isEmpty ? "" : ": \(problem)"),
      remedy: "Put the plugin's folder with its plugin.json on motiond's plugin path, with enough instances")
  }

  static func finishing(_ claim: Claim) -> Refusal {
    Refusal(
      .assignmentTaken, "\(claim.address) is a process on motiond's machine, which is shutting down",
      remedy: "Wait; the assignment is free then")
  }

  static func quarantined(_ claim: Claim, _ reason: String) -> Refusal {
    Refusal(
      .quarantined, "\(claim.address) is quarantined: \(reason)",
      remedy: "Fix the plugin, then run: motionctl plugin restart \(claim.address.plugin)")
  }

  static func taken(_ claim: Claim, by holder: RemoteHolder, for rest: Duration?) -> Refusal {
    let place = holder.place.isEmpty ? "" : " of \(holder.place)"
    guard let rest else {
      return Refusal(
        .assignmentTaken, "another process\(place) holds the assignment \(claim.address)",
        remedy: "Stop one of the two, or give this one another instance (--instance)")
    }
    return Refusal(
      .assignmentTaken,
      "another process\(place) held the assignment \(claim.address), and its lease lasts for \(Int(rest / .seconds(1)) + 1) s",
      remedy: "Wait; the assignment is free then")
  }

  static func storage(of claim: Claim, _ error: AssignmentRegisterError) -> Refusal {
    Refusal(
      .storage, "the holder of the assignment \(claim.address) cannot be stored: \(error)",
      remedy: "Give motiond a state directory that it can write")
  }
}
