import MotionModel

extension EventLog {
  /// A plan has ended. A failed plan is kept for queries, too.
  ///
  /// - Parameter cause: the cause, if that is not the event being applied.
  func end(
    _ plan: @autoclosure () -> EndedIntention, _ outcome: Outcome, of intention: Intention, kind: IntentionKind,
    _ executor: ExecutorType, provenance: @autoclosure () -> Provenance?, by cause: ChangeCause? = nil
  ) {
    note(.endings, .ended(plan(), by: executor), by: cause)
    guard outcome == .failed else { return }
    let plan = plan()
    failed.append(
      IntentionRow(
        identity: plan.identity, target: plan.target, name: plan.name, intention: intention, kind: kind,
        executor: executor, state: .failed, reason: plan.reason, provenance: provenance()))
  }
}
