import MotionModel

/// The provenance of the transaction that is being applied, and of those not applied yet. Nothing in a frame depends on
/// it.
struct ProvenanceLedger {
  /// The provenance of accepted transactions that have not been applied, by their sequences.
  private var accepted: [UInt64: StoredProvenance] = [:]
  /// The committers of the last transaction: the next one is often of the same client, and shares their memory.
  private var lastCommitters: StoredProvenance.Committers?
  /// The part that the plans of the last restored transaction share.
  private var lastRestored: (sequence: UInt64, common: IntentionRecord.Common)?
  /// The part that the plans of the transaction being applied share; `nil` between transactions, or without a
  /// provenance.
  private(set) var current: IntentionRecord.Common?

  /// Keeps the provenance of an accepted transaction.
  mutating func accept(_ provenance: Provenance?, as sequence: UInt64) {
    guard let provenance else { return }
    accepted[sequence] = store(provenance)
  }

  /// The provenance of a transaction that has not been applied.
  subscript(sequence: UInt64) -> Provenance? { accepted[sequence]?.model }

  /// Begins to apply a transaction, whose plans share its provenance.
  mutating func begin(_ sequence: UInt64) {
    current = accepted.removeValue(forKey: sequence).map { IntentionRecord.Common($0) }
  }

  /// Ends the application of a transaction.
  mutating func end() { current = nil }

  /// Drops transactions that will not be applied.
  mutating func drop(_ sequences: some Sequence<UInt64>) {
    guard !accepted.isEmpty else { return }
    for sequence in sequences { accepted[sequence] = nil }
  }

  /// The part that a plan of another process shares with the others of its transaction.
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

  /// The provenance in the form of the model.
  var model: Provenance {
    Provenance(committers.client, onBehalfOf: committers.onBehalfOf, wallTime: wallTime, comment: comment)
  }
}
