import MotionModel

/// The warnings about plans that failed after their receipt: the plan, the reason, and the client that committed it.
///
/// Bounded twice: a transaction of a hundred thousand plans that all fail writes few lines, and only the newest commits
/// are attributed to their clients.
struct FailureLog {
  /// A warning.
  struct Line: Equatable {
    let text: String
    /// The target of the plan that it is about.
    let target: TargetName
  }

  /// The most lines written in a second; those left out are counted in the next one.
  static let linesPerSecond = 20
  /// The least number of commits whose client is kept: with both halves 0.5 MB.
  static let commitsKept = 8192

  /// The clients of the newest commits by sequence, and those of as many before them.
  private var clients: [UInt64: UInt64] = [:]
  private var formerClients: [UInt64: UInt64] = [:]
  private var secondEnds = Duration.zero
  private var lines = 0
  private var leftOut: UInt64 = 0

  /// Records which client committed a transaction.
  mutating func committed(_ sequence: UInt64, by client: UInt64) {
    if clients.count >= Self.commitsKept { (formerClients, clients) = (clients, [:]) }
    clients[sequence] = client
  }

  /// The lines to write about plans that ended.
  mutating func lines(about ended: [EndedIntention], at now: Duration) -> [Line] {
    guard ended.contains(where: { $0.outcome == .failed }) else { return [] }
    var due: [Line] = []
    for plan in ended where plan.outcome == .failed {
      if now >= secondEnds { (secondEnds, lines) = (now + .seconds(1), 0) }
      guard lines < Self.linesPerSecond else {
        leftOut += 1
        continue
      }
      lines += 1
      let others = leftOut == 0 ? "" : " (\(leftOut) more plans failed since the last such line)"
      leftOut = 0
      due.append(Line(text: Self.onOneLine(text(of: plan) + others), target: plan.target))
    }
    return due
  }

  /// Reasons come from workers.
  private static func onOneLine(_ text: String) -> String { ShownText.escaping(text).replacing("\n", with: "\\n") }

  private func text(of plan: EndedIntention) -> String {
    let name = plan.name.map { " \"\($0)\"" } ?? ""
    return "plan \(plan.identity)\(name) (\(plan.type)) on \(plan.target) failed in frame \(plan.frame): "
      + "\(plan.reason); " + committer(of: plan.identity.sequence)
  }

  /// The client that committed a transaction, as far as it is known.
  private func committer(of sequence: UInt64) -> String {
    guard let client = clients[sequence] ?? formerClients[sequence] else { return "its client is not known any more" }
    return "committed by the client \(String(client, radix: 16))"
  }
}
