extension Transaction {
  /// The size of the transaction in storage, in bytes, to within a few for each operation. Linear in the log.
  package var storedBytes: Int {
    let selected = selectors.values.reduce(0) { $0 + $1.text.utf8.count }
    return log.reduce(spreads.values.reduce(selected) { $0 + $1.storedBytes }) { $0 + $1.storedBytes }
  }
}

extension Transaction.Operation {
  /// The size of the operation in storage, in bytes, to within a few.
  package var storedBytes: Int {
    let target = (target?.text.utf8.count ?? 0) + Self.bytesPerPart
    switch self {
    case .add(let intention, let name, _):
      let fields = intention.fields.storedBytes
      return target + intention.type.text.utf8.count + (name?.text.utf8.count ?? 0) + fields
    case .remove(let name, _): return target + name.text.utf8.count
    case .removePlan: return target + Self.bytesPerPart
    case .forget: return target
    case .limit(let property, _, _): return target + property.text.utf8.count + Self.bytesOfLimits
    case .group(let name, let members):
      return members.reduce(target + name.text.utf8.count) { $0 + $1.text.utf8.count + Self.bytesPerPart }
    case .scene(let name, let scene): return target + name.text.utf8.count + scene.storedBytes
    case .cues(let name, .list(let list)):
      return list.cues.reduce(target + name.text.utf8.count) {
        $0 + $1.name.text.utf8.count + 4 * Self.bytesPerPart + $1.content.storedBytes
      }
    case .cues(let name, .position): return target + name.text.utf8.count + 6 * Self.bytesPerPart
    }
  }

  /// The overhead of protobuf for a nested part: the field number and the length, twice.
  fileprivate static let bytesPerPart = 8
  /// Five limits of four lanes.
  private static let bytesOfLimits = 5 * (4 * 8 + bytesPerPart)
}

extension Scene {
  fileprivate var storedBytes: Int {
    targets.reduce(0) { sum, target in
      let values = target.values.reduce(0) { $0 + $1.property.text.utf8.count + 8 * $1.value.count + 16 }
      let plans = target.plans.reduce(0) {
        $0 + Transaction.Operation.add($1.intention, named: $1.name, to: target.name).storedBytes
      }
      return sum + target.name.text.utf8.count + values + plans + 16
    }
  }
}

extension Spread {
  fileprivate var storedBytes: Int { to.storedBytes + 16 + (by?.property.text.utf8.count ?? 0) }
}

extension [Intention.Field] {
  fileprivate var storedBytes: Int {
    reduce(0) { $0 + $1.name.utf8.count + $1.value.storedBytes + Transaction.Operation.bytesPerPart }
  }
}

extension Provenance {
  /// The approximate size in storage, in bytes.
  package var storedBytes: Int {
    // Numbers and lengths: 40 of the provenance, 24 of each committer.
    [client, onBehalfOf].reduce(40 + comment.utf8.count) { sum, committer in
      sum + (committer.map { 24 + $0.name.utf8.count + $0.key.utf8.count } ?? 0)
    }
  }
}

extension FieldValue {
  fileprivate var storedBytes: Int {
    switch self {
    case .number, .flag, .duration: 12
    case .vector(let lanes): 8 * lanes.count + 4
    case .text(let text), .choice(let text): text.utf8.count
    case .property(let name): name.text.utf8.count
    case .reference(let reference): reference.target.text.utf8.count + reference.property.text.utf8.count + 4
    case .list(let values): values.reduce(0) { $0 + $1.storedBytes + 4 }
    }
  }
}
