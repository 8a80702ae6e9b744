import MotionModel

/// The events of a recording, for people.
enum EventText {
  /// A short text of an event on one line; `nil` for those of each frame: messages of workers, and input.
  static func text(of event: RuntimeEvent) -> String? {
    switch event {
    case .update, .input, .inputValues: nil
    case .commit(let sequence, let transaction):
      "commit \(sequence): \(JournalEntryText.text(of: transaction))".shownOnOneLine
    case .provisioned(let worker): "worker \(worker) is ready"
    case .lost(let worker): "worker \(worker) was lost"
    case .quarantined(let plugin, let reason): "plugin \(plugin) is quarantined: \(reason)".shownOnOneLine
    case .restored(let plugin): "plugin \(plugin) is restored"
    case .withheld(let worker, let identities?): "\(identities.count) plans are withheld from worker \(worker)"
    case .withheld(let worker, nil): "no plans are withheld from worker \(worker)"
    case .planQuarantined(let identity, let reason): "plan \(identity) is quarantined: \(reason)".shownOnOneLine
    case .stop(let stop): JournalEntryText.text(of: stop)
    case .withdraw(let sequences): JournalEntryText.text(ofWithdrawal: sequences)
    }
  }

  /// Likewise, and for a commit also its client and comment.
  static func text(of event: RuntimeEvent, in recorded: RecordedFrame) -> String? {
    guard let text = text(of: event) else { return nil }
    guard case .commit(let sequence, _) = event, let provenance = recorded.provenances[sequence] else { return text }
    let comment = provenance.comment.isEmpty ? "" : " (\(provenance.comment))"
    return "\(text) by \(provenance)\(comment)".shownOnOneLine
  }

  /// A short text about limits; `nil` for other changes.
  static func text(of change: RuntimeChange) -> String? {
    switch change {
    case .limitEntered(let limit):
      "\(limit.reference) is held back: \(limit.limits.map(\.rawValue).joined(separator: ", ")), demand "
        + "\(NumberText.lanes(limit.demand.value))"
        + (limit.overrun.map { ", goes \(NumberText.lanes($0)) beyond its range" } ?? "")
    case .limitLeft(let reference): "\(reference) is no longer held back"
    default: nil
    }
  }
}
