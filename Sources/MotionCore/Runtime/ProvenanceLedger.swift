import MotionModel

/// Who committed what is being applied, and what is not applied yet. Nothing in a frame depends on it.
struct ProvenanceLedger {
  /// Of transactions that were accepted and have not been applied, by their sequences.
  private var accepted: [UInt64: StoredProvenance] = [:]
  /// The committers of the last transaction: the next one is often of the same client, and shares their memory.
  private var lastCommitters: StoredProvenance.Committers?
  /// What the plans of the last restored transaction share.
  private var lastRestored: (sequence: UInt64, common: IntentionRecord.Common)?
  /// What the plans of the transaction share that is being applied; `nil` between transactions, or if nobody said who committed it.
  private(set) var current: IntentionRecord.Common?

  /// A transaction was accepted.
  mutating func accept(_ provenance: Provenance?, as sequence: UInt64) {
    guard let provenance else { return }
    accepted[sequence] = store(provenance)
  }

  /// Who committed a transaction that has not been applied.
  subscript(sequence: UInt64) -> Provenance? { accepted[sequence]?.model }

  /// A transaction is applied from now on: its plans share this.
  mutating func begin(_ sequence: UInt64) {
    current = accepted.removeValue(forKey: sequence).map { IntentionRecord.Common($0) }
  }

  /// All of it is applied.
  mutating func end() { current = nil }

  /// Transactions will not be applied.
  mutating func drop(_ sequences: some Sequence<UInt64>) {
    guard !accepted.isEmpty else { return }
    for sequence in sequences { accepted[sequence] = nil }
  }

  /// What a plan of another process shares with the others of its transaction.
  mutating func restore(_ plan: RuntimeCheckpoint.Plan) -> IntentionRecord.Common? {
    guard let provenance = plan.provenance else { return nil }
    if let lastRestored, lastRestored.sequence == plan.identity.sequence { return lastRestored.common }
    let common = IntentionRecord.Common(store(provenance))
    lastRestored = (plan.identity.sequence, common)
    return common
  }

  private mutating func store(_ provenance: Provenance) -> StoredProvenance {
    let committers: StoredProvenance.Committers
    if let last = lastCommitters, last.client == provenance.client, last.onBehalfOf == provenance.onBehalfOf {
      committers = last
    } else {
      committers = StoredProvenance.Committers(provenance.client, onBehalfOf: provenance.onBehalfOf)
      lastCommitters = committers
    }
    return StoredProvenance(committers: committers, wallTime: provenance.wallTime, comment: provenance.comment)
  }
}

/// A provenance in 32 bytes instead of 150: there may be one for each of a million plans, and there are few clients.
struct StoredProvenance {
  final class Committers {
    let client: Committer
    let onBehalfOf: Committer?

    init(_ client: Committer, onBehalfOf: Committer?) { (self.client, self.onBehalfOf) = (client, onBehalfOf) }
  }

  let committers: Committers
  let wallTime: Int64
  let comment: String

  /// The provenance as everybody else knows it.
  var model: Provenance {
    Provenance(committers.client, onBehalfOf: committers.onBehalfOf, wallTime: wallTime, comment: comment)
  }
}
