import MotionModel

extension Runtime {
  /// Notes that a plan in a worker reads properties, or reads them no more.
  func noteReads(of record: IntentionRecord, _ isReading: Bool) {
    guard let worker = executors[record.executor]?.worker else { return }
    for reference in reads(of: record) {
      let count = (readers[reference]?[worker] ?? 0) + (isReading ? 1 : -1)
      readers[reference, default: [:]][worker] = count > 0 ? count : nil
      if readers[reference]?.isEmpty == true { readers[reference] = nil }
      if let slot = properties.slot(of: reference) { properties[slot].isRead = readers[reference] != nil }
    }
  }

  /// Tells a worker where the properties are that a plan reads.
  func sendReads(of identity: IntentionIdentity, to worker: WorkerAddress) {
    guard let references = intentions[identity].map(reads), !references.isEmpty else { return }
    send(.properties(references.map { ReadProperty($0, state(of: $0)) }), to: worker)
  }

  private func reads(of record: IntentionRecord) -> [PropertyReference] {
    guard let entry = registry.catalog[record.intention.type] else { return [] }
    return entry.description.propertiesRead(by: record.intention).map { PropertyReference(record.target, $0) }
      + entry.description.references(of: record.intention)
  }

  /// Tells the workers where the properties are that changed and that they read.
  func tellReaders() {
    guard !readers.isEmpty else { return }
    var told: [WorkerAddress: [ReadProperty]] = [:]
    for slot in properties.changed where properties[slot].isRead {
      let (reference, state) = (properties[slot].reference, properties[slot].state)
      for worker in readers[reference]?.keys.sorted() ?? [] {
        told[worker, default: []].append(ReadProperty(reference, state))
      }
    }
    for worker in told.keys.sorted() { send(.properties(told[worker] ?? []), to: worker) }
  }

  /// Tells the workers that read a property that it is gone.
  func tellReaders(ofForgotten reference: PropertyReference) {
    for worker in readers[reference]?.keys.sorted() ?? [] {
      send(.properties([ReadProperty(reference, nil)]), to: worker)
    }
  }
}
