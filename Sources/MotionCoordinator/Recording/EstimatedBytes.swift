import MotionModel

/// Estimates of memory sizes, for bounds on queues: within a factor of two, and in less time than a copy.
///
/// A row or field takes some 100 bytes however little is in it: names of up to 15 bytes lie in it, numbers and lanes
/// too.
private let small = 100

extension RecordedFrame {
  /// The estimated size in bytes.
  var estimatedBytes: Int {
    (betweenFrames + events).reduce(small) { $0 + $1.estimatedBytes }
  }
}

extension RuntimeSnapshot {
  /// The estimated size in bytes.
  var estimatedBytes: Int {
    checkpoint.plans.reduce(details.count) { $0 + 3 * small + $1.intention.estimatedBytes }
      + checkpoint.targets.reduce(0) { $0 + small * (1 + $1.properties.count) }
  }
}

extension RuntimeEvent {
  fileprivate var estimatedBytes: Int {
    switch self {
    // Of many, each is taken for one with few fields: to look at all of them would take milliseconds.
    case .commit(_, let transaction) where transaction.log.count > 1000: small * (1 + 5 * transaction.log.count)
    case .commit(_, let transaction):
      transaction.log.reduce(small) { sum, operation in
        if case .add(let intention, _, _) = operation { return sum + 2 * small + intention.estimatedBytes }
        return sum + small
      }
    case .update(_, let update):
      update.events.reduce(small * (1 + update.writes.count)) { sum, event in
        if case .emitted(_, _, _, let intention, _) = event.event { return sum + 2 * small + intention.estimatedBytes }
        return sum + small
      }
    case .stop(let stop): small * (1 + stop.targets.count)
    case .withdraw(let sequences): small + 8 * sequences.count
    case .quarantined(_, let reason), .planQuarantined(_, let reason): small + reason.utf8.count
    case .withheld(_, let identities): small * (1 + (identities?.count ?? 0))
    case .input(let input): small * (1 + input.events.count)
    case .inputValues(let input): small * (1 + input.values.count)
    case .provisioned, .lost, .restored: small
    }
  }
}

extension Intention {
  /// The estimated size of its fields in bytes.
  var estimatedBytes: Int { fields.reduce(0) { $0 + small + $1.value.estimatedBytes } }
}

extension FieldValue {
  /// The estimated size in bytes besides the enclosing field.
  fileprivate var estimatedBytes: Int {
    switch self {
    case .text(let text), .choice(let text): text.utf8.count
    case .list(let elements): elements.reduce(0) { $0 + small + $1.estimatedBytes }
    case .number, .vector, .flag, .duration, .property, .reference: 0
    }
  }
}
