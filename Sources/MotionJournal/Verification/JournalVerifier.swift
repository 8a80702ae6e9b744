/// Verifies the contents of a database against the head next to it.
///
/// One rule decides: the links of the last row and of the last checkpoint equal those of the head, or continue from
/// them. The database is synced before the head, so it may be ahead by data that was not acknowledged yet.
struct JournalVerifier {
  let stored: StoredJournal
  /// The head, if there is one and it belongs to this journal.
  let head: JournalHead?
  var verdict = JournalVerdict()
  private var seal = Seal()

  static func verdict(on stored: StoredJournal, head: JournalHead?) -> JournalVerdict {
    var verifier = JournalVerifier(stored, head)
    verifier.verify(head)
    return verifier.verdict
  }

  private init(_ stored: StoredJournal, _ head: JournalHead?) {
    self.stored = stored
    // A database whose id cannot be read is compared with the existing head.
    self.head = stored.id.isEmpty || head?.id == stored.id ? head : nil
  }

  private mutating func verify(_ given: JournalHead?) {
    if let failure = stored.failure { damage("journal.sqlite", "not all of it can be read: \(failure)") }
    if given == nil { damage("journal.head", "it is missing or damaged") }
    if let given, head == nil, stored.failure == nil {
      damage(
        "journal.head", "it is of journal \(given.id.shortText), and the database of journal \(stored.id.shortText)")
    }
    let checkpoint = wholeCheckpoint()
    let walk = walk(from: checkpoint)
    compareWithHead(walk)
    keep(checkpoint, walk)
  }

  mutating func damage(_ place: String, _ cause: String) {
    guard verdict.damages.count < JournalVerdict.damages else { return }
    verdict.damages.append(JournalDamage(place: place, cause: cause))
  }
}

// MARK: - The checkpoint

extension JournalVerifier {
  /// The checkpoint, if there is one and it is intact.
  private mutating func wholeCheckpoint() -> StoredCheckpoint? {
    guard let found = stored.checkpoint else {
      if let head, head.checkpoint > 0 { damage("checkpoint \(head.checkpoint)", "it is missing") }
      return nil
    }
    let place = "checkpoint \(found.number)"
    guard isWhole(found) else {
      damage(place, "it does not match its checksum")
      return nil
    }
    guard let head else { return found }
    let isLast = found.number == head.checkpoint && found.link == head.checkpointLink
    let isNext = found.number == head.checkpoint &+ 1 && found.previous == head.checkpointLink
    if found.number < head.checkpoint {
      damage(place, "it is an old one; the last one was checkpoint \(head.checkpoint)")
    } else if !isLast, !isNext {
      damage(place, "it does not follow checkpoint \(head.checkpoint), the last one that the head records")
    }
    return found
  }

  private mutating func isWhole(_ found: StoredCheckpoint) -> Bool {
    guard let checksum = found.checksum, let rowLink = found.rowLink, let previous = found.previous else {
      return false
    }
    let link = seal.link(
      ofCheckpoint: found.number, sequence: found.sequence, row: rowLink, checksum: checksum, after: previous)
    return link == found.link && checksum == PartIndex(found.parts).checksum
      && found.parts.allSatisfy { $0.checksum == Digest(of: $0.body) }
  }
}

// MARK: - The rows

extension JournalVerifier {
  /// The result of a walk along the rows.
  struct Walk {
    /// The last row, intact or not.
    var last: UInt64
    /// The rows that are damaged or do not follow the row before, as indices into ``StoredJournal/rows``.
    var broken: Set<Int> = []
    /// The range of the rows that the checkpoint does not cover, up to the first broken one.
    var live: Range<Int>
    /// The link of the head's last row, if the walk passes it.
    var headLink: Digest?
  }

  private mutating func walk(from checkpoint: StoredCheckpoint?) -> Walk {
    let covered = checkpoint?.sequence ?? 0
    var last = stored.anchor
    var link = stored.anchorLink
    var walk = Walk(last: last, live: stored.rows.count..<stored.rows.count, headLink: nil)
    var liveEnd: Int?
    for (index, found) in stored.rows.enumerated() {
      if last == head?.sequence { walk.headLink = link }
      if let checkpoint, last == covered, link != checkpoint.rowLink {
        damage("row \(last)", "it differs from the row that checkpoint \(checkpoint.number) was made of")
        link = checkpoint.rowLink
      }
      if found.row.sequence > covered, walk.live.isEmpty, walk.live.lowerBound == stored.rows.count {
        walk.live = index..<stored.rows.count
      }
      if !follows(found, last, link) {
        walk.broken.insert(index)
        if found.row.sequence > covered, liveEnd == nil { liveEnd = index }
      }
      (last, link) = (found.row.sequence, found.link)
    }
    if last == head?.sequence { walk.headLink = link }
    if let checkpoint {
      if last == covered, link != checkpoint.rowLink {
        damage("row \(last)", "it differs from the row that checkpoint \(checkpoint.number) was made of")
      }
      if covered > last { damage("row \(last + 1)", "it is missing, though there is a checkpoint of row \(covered)") }
    }
    if stored.anchor > stored.checkpoint?.sequence ?? 0 {
      damage("row \(covered + 1)", "it is missing, though no checkpoint covers it")
    }
    walk.last = max(last, covered)
    if let liveEnd { walk.live = walk.live.lowerBound..<liveEnd }
    return walk
  }

  /// Whether a row is intact and directly follows the row `last`, whose link is `link`.
  private mutating func follows(_ found: StoredRow, _ last: UInt64, _ link: Digest?) -> Bool {
    let sequence = found.row.sequence
    guard sequence == last &+ 1 else {
      let missing = sequence > last &+ 2 ? "rows \(last &+ 1) to \(sequence &- 1) are" : "row \(last &+ 1) is"
      damage("row \(last &+ 1)", sequence > last ? "\(missing) missing" : "row \(sequence) is in its place")
      return false
    }
    guard let checksum = found.checksum, found.isHistory || checksum == Digest(of: found.row.body) else {
      damage("row \(sequence)", "its body does not match its checksum")
      return false
    }
    guard let link, found.link == seal.link(of: found.row, checksum: checksum, after: link) else {
      damage("row \(sequence)", "it does not match the checksum chain")
      return false
    }
    if found.isHistory, sequence > stored.checkpoint?.sequence ?? 0 {
      damage("row \(sequence)", "its body is missing, though no checkpoint covers it")
      return false
    }
    return true
  }
}

extension Collection<UInt8> {
  /// The first bytes of an id, for people to compare.
  var shortText: String { isEmpty ? "without an id" : prefix(8).hexText }
}
