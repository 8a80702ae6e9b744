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
      if let slot = plans.find(reference) { plans.movement.properties[slot].readers = plans.readers(of: reference) }
    }
  }

  /// Passes the states of changed properties to the executors that read them.
  ///
  /// - Parameter fail: fails plans of forces that can no longer move their properties.
  func tellReaders(_ fail: (IntentionIdentity, ExecutorHandle) -> Void) {
    guard !plans.readers.isEmpty else { return }
    var notices = Notices()
    for slot in plans.movement.properties.changed where !plans.movement.properties[slot].readers.isEmpty {
      tell(plans.movement.properties.state(at: slot), of: slot, &notices)
    }
    send(notices, fail)
  }

  /// Notifies the executors that read a property that it is removed.
  func tellReaders(ofForgotten slot: PropertyTable.Slot) {
    var notices = Notices()
    tell(nil, of: slot, &notices)
    send(notices) { _, _ in }
  }

  /// What executors are told in a frame.
  private struct Notices {
    /// What each worker receives; there are few workers.
    var toWorkers: [(worker: WorkerAddress, properties: [ReadProperty])] = []
    /// The executors that were told something, each once.
    var heard: [ExecutorRecord] = []
    private var marked: Set<ExecutorHandle> = []

    /// The executor of a handle, if it is the one that was told last: one mostly reads many properties.
    func last(_ handle: ExecutorHandle) -> ExecutorRecord? { heard.last.flatMap { $0.handle == handle ? $0 : nil } }

    mutating func note(_ record: ExecutorRecord) {
      if last(record.handle) == nil, marked.insert(record.handle).inserted { heard.append(record) }
    }

    mutating func tell(_ worker: WorkerAddress, _ property: ReadProperty) {
      guard let place = toWorkers.firstIndex(where: { $0.worker == worker }) else {
        return toWorkers.append((worker, [property]))
      }
      if toWorkers[place].properties.last?.reference != property.reference {
        toWorkers[place].properties.append(property)
      }
    }
  }

  private func tell(_ state: PropertyState?, of slot: PropertyTable.Slot, _ notices: inout Notices) {
    let property = ReadProperty(plans.movement.properties[slot].reference, state)
    for handle in plans.movement.properties[slot].readers {
      guard let record = notices.last(handle) ?? plans.executors[handle] else { continue }
      notices.note(record)
      if let worker = record.worker {
        notices.tell(worker, property)
      } else if let physics = record.physics {
        physics.noticed(property.reference, state)
      } else {
        record.reading?.noticed(property.reference, state)
      }
    }
  }

  /// Executors in workers receive the states with their next frame, and are active until then. Executors in this process
  /// have received them.
  private func send(_ notices: Notices, _ fail: (IntentionIdentity, ExecutorHandle) -> Void) {
    for (worker, properties) in notices.toWorkers.sorted(by: { $0.worker < $1.worker }) {
      workers.send(.properties(properties), to: worker)
    }
    for record in notices.heard.sorted(by: { $0.handle < $1.handle }) {
      record.physics?.endNotices { fail($0, record.handle) }
      expectAnswer(of: record)
    }
  }
}
