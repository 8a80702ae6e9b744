// Compares the actual with the required contents, and determines which can be kept if something is damaged.
extension JournalVerifier {
  /// Checks that the rows reach the head's last row, and that this row has the head's link.
  mutating func compareWithHead(_ walk: Walk) {
    guard let head else { return }
    if walk.last < head.sequence {
      let first = walk.last + 1
      let rows = first == head.sequence ? "row \(first) is" : "rows \(first) to \(head.sequence) are"
      damage("row \(first)", "\(rows) missing at the end")
    } else if walk.headLink != head.link, walk.broken.isEmpty {
      damage("row \(head.sequence)", "it differs from the row that the head records")
    }
  }

  /// Determines the contents that can be trusted, and those that are lost.
  mutating func keep(_ checkpoint: StoredCheckpoint?, _ walk: Walk) {
    let total = max(walk.last, head?.sequence ?? 0)
    // Without a checkpoint, the state follows only from all rows, beginning with the first.
    let isFromTheBeginning = !stored.id.isEmpty && stored.anchor == 0 && !stored.rows.contains(where: \.isHistory)
    guard checkpoint != nil || isFromTheBeginning else {
      keepRowsAlone(walk, total)
      return
    }
    let live = stored.rows[walk.live]
    verdict.kept = JournalContents(
      checkpoint: checkpoint.map { JournalCheckpoint(sequence: $0.sequence, body: $0.body) }, rows: live.map(\.row),
      identities: identities(walk))
    if let checkpoint {
      verdict.head = JournalHead(
        id: stored.id, sequence: live.last?.row.sequence ?? checkpoint.sequence,
        link: (live.last.map { $0.link } ?? checkpoint.rowLink) ?? .zero, checkpoint: checkpoint.number,
        checkpointLink: checkpoint.link ?? .zero)
    } else if stored.id.count == JournalHead.idBytes {
      var found = JournalHead(newWith: stored.id)
      if let last = live.last { (found.sequence, found.link) = (last.row.sequence, last.link ?? .zero) }
      verdict.head = found
    }
    if !verdict.isWhole { sayLosses(walk, total) }
  }

  /// Intact rows whose checkpoint is lost can still be applied to an empty state.
  private mutating func keepRowsAlone(_ walk: Walk, _ total: UInt64) {
    let first = stored.rows.firstIndex { !$0.isHistory } ?? stored.rows.endIndex
    let end = stored.rows.indices[first...].first { walk.broken.contains($0) } ?? stored.rows.endIndex
    let rows = stored.rows[first..<end].map(\.row)
    guard let beginning = rows.first?.sequence else {
      verdict.losses = [total == 0 ? "all of its contents" : "everything up to row \(total), identities included"]
      return
    }
    // An empty checkpoint stands for an unknown one.
    verdict.kept = JournalContents(
      checkpoint: JournalCheckpoint(sequence: beginning - 1, body: []), rows: rows,
      identities: rows.filter { !$0.identity.isEmpty }.map(JournalIdentity.init(of:)))
    verdict.losses = ["everything up to row \(beginning - 1), identities included"]
    if let last = rows.last?.sequence, last < total { verdict.losses.append(Self.rows(last + 1, total)) }
  }

  /// The identities of intact rows of the last 24 hours, at most a hundred thousand.
  private func identities(_ walk: Walk) -> [JournalIdentity] {
    var identities: [JournalIdentity] = []
    for index in stored.rows.indices where index < walk.live.upperBound && !walk.broken.contains(index) {
      let row = stored.rows[index].row
      if !row.identity.isEmpty { identities.append(JournalIdentity(of: row)) }
    }
    var contents = JournalContents(identities: identities)
    contents.forgetIdentities()
    return contents.identities
  }

  private mutating func sayLosses(_ walk: Walk, _ total: UInt64) {
    let kept = verdict.kept.lastSequence
    if kept < total { verdict.losses.append(Self.rows(kept + 1, total)) }
    let forgotten = walk.broken.filter { $0 < walk.live.lowerBound }.map { stored.rows[$0].row.sequence }
    if let first = forgotten.min(), let last = forgotten.max() {
      verdict.losses.append(
        "the identities of \(Self.rows(first, last)), so that such a commit is applied again if it is resent")
    }
    if let head, let found = stored.checkpoint, found.number < head.checkpoint, kept >= total {
      verdict.losses.append("checkpoints \(found.number + 1) to \(head.checkpoint)")
    }
    if head == nil {
      verdict.losses.append("anything acknowledged after row \(kept), which only the head recorded")
    }
    if verdict.losses.isEmpty { verdict.losses.append("the contents before it was replaced") }
  }

  private static func rows(_ first: UInt64, _ last: UInt64) -> String {
    first == last ? "row \(first)" : "rows \(first) to \(last) (\(last - first + 1) of them)"
  }
}
