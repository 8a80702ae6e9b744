import LinuxSystem
import MotionModel

/// The warnings about plans and limits that failed after their receipt: the plan or property, the reason, and the
/// committer.
///
/// A transaction of a hundred thousand operations that all fail writes few lines.
struct FailureLog {
  /// A warning.
  struct Line: Equatable {
    let text: String
    /// The target that it is about.
    let target: TargetName
  }

  /// The most lines written in a second; those left out are counted in the next one.
  static let linesPerSecond = 20

  /// Plans whose failure was logged when the coordinator started.
  private var logged: Set<IntentionIdentity> = []
  private var limit = ReportLimit(Self.linesPerSecond, per: .seconds(1))

  /// Records plans whose failure is in the log already, and is not logged again.
  mutating func noteLogged(_ identities: some Sequence<IntentionIdentity>) { logged.formUnion(identities) }

  /// The lines to log about plans that ended.
  ///
  /// - Parameter provenance: the provenance of a failed plan's transaction, if it is known.
  mutating func lines(
    about ended: [EndedIntention], at now: Duration, provenance: (IntentionIdentity) -> Provenance?
  ) -> [Line] {
    guard ended.contains(where: { $0.outcome == .failed }) else { return [] }
    var due: [Line] = []
    for plan in ended where plan.outcome == .failed && logged.remove(plan.identity) == nil {
      guard let line = limit.line(Self.text(of: plan, provenance(plan.identity)), at: now) else { continue }
      due.append(Line(text: Self.onOneLine(line), target: plan.target))
    }
    return due
  }

  /// The lines to log about limits that could not be set.
  mutating func lines(about failed: [FailedLimits], at now: Duration) -> [Line] {
    failed.compactMap { limits in
      limit.line(Self.text(of: limits), at: now).map {
        Line(text: Self.onOneLine($0), target: limits.reference.target)
      }
    }
  }

  private static func text(of limits: FailedLimits) -> String {
    "the limits of \(limits.reference) (transaction \(limits.sequence), operation \(limits.operation)) failed in "
      + "frame \(limits.frame): \(limits.reason); " + committer(limits.provenance)
  }

  /// Reasons come from workers.
  private static func onOneLine(_ text: String) -> String { ShownText.escaping(text).replacing("\n", with: "\\n") }

  private static func text(of plan: EndedIntention, _ provenance: Provenance?) -> String {
    let name = plan.name.map { " \"\($0)\"" } ?? ""
    return "plan \(plan.identity)\(name) (\(plan.type)) on \(plan.target) failed in frame \(plan.frame): "
      + "\(plan.reason); " + committer(provenance)
  }

  /// The committer of a transaction, for people.
  static func committer(_ provenance: Provenance?) -> String {
    provenance.map { "committed by \($0)" } ?? "committed by an unknown client"
  }
}
