import LinuxSystem
import ZeroMQ

/// Limits the log lines about refused connections: a peer that retries again and again must not fill the disk.
struct RefusalLog {
  /// The interval after a line before the next one for the same reason; refusals in between are counted in the next
  /// line.
  static let interval = Duration.seconds(10)

  private var limits: [Admission.Reason: ReportLimit] = [:]

  /// The line for a refusal, if it is to be written.
  mutating func line(for request: AuthenticationRequest, _ reason: Admission.Reason, at now: Duration) -> String? {
    limits[reason, default: ReportLimit(per: Self.interval)].line(
      "refused \(Self.name(of: request)) on \(request.domain): \(reason.text)", at: now)
  }

  /// The sender of the request, for people.
  private static func name(of request: AuthenticationRequest) -> String {
    if let peer = request.localPeer { return "process \(peer.processID) of user \(peer.userID)" }
    if case .curve(let key) = request.proof { return "\(request.address) with the public key \(key.z85)" }
    return request.address.isEmpty ? "somebody" : request.address
  }
}
