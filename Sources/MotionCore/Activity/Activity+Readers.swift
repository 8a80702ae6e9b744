import MotionModel

extension Activity {
  /// Notes that a plan reads properties, or no longer reads them.
  func noteReads(of record: IntentionRecord, _ isReading: Bool) {
    guard let executor = plans.executors[record.executor], executor.worker != nil || executor.abilities.contains(.reads)
    else { return }
    for reference in reader.reads(of: record) {
      let count = (plans.readers[reference]?[record.executor] ?? 0) + (isReading ? 1 : -1)
      plans.readers[reference, default: [:]][record.executor] = count > 0 ? count : nil
      if plans.readers[reference]?.isEmpty == true { plans.readers[reference] = nil }
      if let slot = plans.find(reference) { plans.movement.properties[slot].isRead = plans.readers[reference] != nil }
    }
  }

  /// Passes the states of changed properties to the executors that read them.
  ///
  /// - Parameter fail: fails plans of forces that can no longer move their properties.
  func tellReaders(_ fail: (IntentionIdentity, ExecutorHandle) -> Void) {
    guard !plans.readers.isEmpty else { return }
    let changed = plans.movement.properties.changed.filter { plans.movement.properties[$0].isRead }
    tellReaders(
      changed.map { ReadProperty(plans.movement.properties[$0].reference, plans.movement.properties.state(at: $0)) },
      fail)
  }

  /// Notifies the executors that read a property that it is removed.
  func tellReaders(ofForgotten reference: PropertyReference) {
    tellReaders([ReadProperty(reference, nil)]) { _, _ in }
  }

  /// Passes states to executors. Executors in workers receive them with their next frame, and are active until then.
  /// Executors in this process receive them at once.
  private func tellReaders(_ read: [ReadProperty], _ fail: (IntentionIdentity, ExecutorHandle) -> Void) {
    var told: [(worker: WorkerAddress, properties: [ReadProperty])] = []
    var heard: [ExecutorHandle: ExecutorRecord] = [:]
    for property in read {
      for handle in plans.readers[property.reference]?.keys.sorted() ?? [] {
        guard let record = heard[handle] ?? plans.executors[handle] else { continue }
        heard[handle] = record
        if let worker = record.worker {
          // There are few workers.
          if let place = told.firstIndex(where: { $0.worker == worker }) {
            if told[place].properties.last?.reference != property.reference { told[place].properties.append(property) }
          } else {
            told.append((worker, [property]))
          }
        } else if let physics = record.physics {
          physics.noticed(property.reference, property.state)
        } else {
          record.reading?.noticed(property.reference, property.state)
        }
      }
    }
    for (worker, properties) in told.sorted(by: { $0.worker < $1.worker }) {
      workers.send(.properties(properties), to: worker)
    }
    for (_, record) in heard.sorted(by: { $0.key < $1.key }) {
      record.physics?.endNotices { fail($0, record.handle) }
      expectAnswer(of: record)
    }
  }
}
