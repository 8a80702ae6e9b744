import MotionModel

extension Runtime {
  /// Notes that a plan reads properties, or no longer reads them.
  func noteReads(of record: IntentionRecord, _ isReading: Bool) {
    guard let executor = executors[record.executor], executor.worker != nil || executor.abilities.contains(.reads)
    else { return }
    for reference in reads(of: record) {
      let count = (readers[reference]?[record.executor] ?? 0) + (isReading ? 1 : -1)
      readers[reference, default: [:]][record.executor] = count > 0 ? count : nil
      if readers[reference]?.isEmpty == true { readers[reference] = nil }
      if let slot = find(reference) { properties[slot].isRead = readers[reference] != nil }
    }
  }

  /// Sends a worker the states of the properties that a plan reads.
  func sendReads(of identity: IntentionIdentity, to worker: WorkerAddress) {
    guard let references = intentions[identity].map(reads), !references.isEmpty else { return }
    send(.properties(references.map { ReadProperty($0, state(of: $0)) }), to: worker)
  }

  /// The properties that a plan reads.
  func reads(of record: IntentionRecord) -> [PropertyReference] {
    guard record.mayRead, let entry = registry.catalog[record.intention.type] else { return [] }
    return entry.description.reads(of: record.intention, on: record.target.name)
  }

  /// The properties that the plans of a worker read, in order.
  func reads(in worker: WorkerAddress) -> [PropertyReference] {
    readers.filter { $0.value.keys.contains { executors[$0]?.worker == worker } }.keys.sorted()
  }

  /// Passes the states of changed properties to the executors that read them.
  func tellReaders() {
    guard !readers.isEmpty else { return }
    let changed = properties.changed.filter { properties[$0].isRead }
    tellReaders(changed.map { ReadProperty(properties[$0].reference, properties.state(at: $0)) })
  }

  /// Notifies the executors that read a property that it is removed.
  func tellReaders(ofForgotten reference: PropertyReference) {
    tellReaders([ReadProperty(reference, nil)])
  }

  /// Passes states to executors. Executors in workers receive them with their next frame, and are active until then.
  /// Executors in this process receive them at once.
  private func tellReaders(_ read: [ReadProperty]) {
    var told: [WorkerAddress: [ReadProperty]] = [:]
    var heard: [ExecutorRecord] = []
    for property in read {
      for handle in readers[property.reference]?.keys.sorted() ?? [] {
        guard let record = executors[handle] else { continue }
        heard.append(record)
        if let worker = record.worker {
          if told[worker]?.last != property { told[worker, default: []].append(property) }
        } else {
          record.reading?.noticed(property.reference, property.state)
        }
      }
    }
    for worker in told.keys.sorted() { send(.properties(told[worker] ?? []), to: worker) }
    for record in heard { expectAnswer(of: record) }
  }

  /// Notes that an executor received something on which it may act in the next frame.
  func expectAnswer(of record: ExecutorRecord) {
    if let worker = record.worker {
      if workers[worker]?.isProvisioned == true { awaitAcknowledgement(of: record.handle) }
      return
    }
    if record.abilities.contains(.updates) { record.wantsUpdate = true }
    refreshActivity(of: record)
  }
}
