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
    var notices = Notices(of: workers)
    for slot in plans.movement.properties.changed where !plans.movement.properties[slot].readers.isEmpty {
      tell(plans.movement.properties.state(at: slot), of: slot, &notices)
    }
    tellWhatWaited(&notices)
    send(notices, fail)
  }

  /// Passes on what has waited until a worker was ready for it, unless it has changed in this frame, too.
  private func tellWhatWaited(_ notices: inout Notices) {
    for (worker, record) in workers.records where !record.reads.held.isEmpty && !workers.isBehind(worker) {
      let held = record.reads.held.subtracting(plans.movement.properties.changed)
      workers.records[worker]?.reads.held = []
      for slot in held.sorted() where plans.movement.properties[slot].readers.contains(where: { reads($0, in: worker) })
      {
        tell(plans.movement.properties.state(at: slot), of: slot, &notices) { $0 == worker }
      }
    }
  }

  private func reads(_ executor: ExecutorHandle, in worker: WorkerAddress) -> Bool {
    plans.executors[executor]?.worker == worker
  }

  /// Notifies the executors that read a property that it is removed.
  func tellReaders(ofForgotten slot: PropertyTable.Slot) {
    var notices = Notices(of: workers)
    for worker in workers.records.keys { workers.records[worker]?.reads.held.remove(slot) }
    tell(nil, of: slot, &notices)
    send(notices) { _, _ in }
  }

  /// What executors are told in a frame.
  private struct Notices {
    /// What a worker receives.
    struct Delivery {
      let worker: WorkerAddress
      /// Whether it is behind: states wait.
      let waits: Bool
      /// Without a port nobody takes them.
      var properties: [ReadProperty] = []
      var held: [PropertyTable.Slot] = []
      var count = 0
      fileprivate var last: PropertyTable.Slot?
    }

    /// There are few workers.
    var toWorkers: [Delivery] = []
    private let workers: WorkerLedger
    /// The executors that were told something, each once.
    var heard: [ExecutorRecord] = []
    private var marked: Set<ExecutorHandle> = []

    private let hasPort: Bool

    init(of workers: WorkerLedger) { (self.workers, hasPort) = (workers, workers.port != nil) }

    /// The executor of a handle, if it is the one that was told last: one mostly reads many properties.
    func last(_ handle: ExecutorHandle) -> ExecutorRecord? { heard.last.flatMap { $0.handle == handle ? $0 : nil } }

    mutating func note(_ record: ExecutorRecord) {
      if last(record.handle) == nil, marked.insert(record.handle).inserted { heard.append(record) }
    }

    /// Several executors of a worker may read a property, one after the other.
    mutating func tell(_ worker: WorkerAddress, _ state: PropertyState?, of slot: PropertyTable.Slot, _ plans: Plans) {
      let place = place(of: worker)
      guard toWorkers[place].last != slot else { return }
      toWorkers[place].last = slot
      if toWorkers[place].waits, state != nil { return toWorkers[place].held.append(slot) }
      toWorkers[place].count += 1
      guard hasPort else { return }
      toWorkers[place].properties.append(ReadProperty(plans.movement.properties[slot].reference, state))
    }

    private mutating func place(of worker: WorkerAddress) -> Int {
      if let place = toWorkers.firstIndex(where: { $0.worker == worker }) { return place }
      toWorkers.append(Delivery(worker: worker, waits: workers.isBehind(worker)))
      return toWorkers.count - 1
    }
  }

  /// Notes what the executors that read a property are told, or those in some workers.
  private func tell(
    _ state: PropertyState?, of slot: PropertyTable.Slot, _ notices: inout Notices,
    in isMeant: ((WorkerAddress?) -> Bool)? = nil
  ) {
    for handle in plans.movement.properties[slot].readers {
      guard let record = notices.last(handle) ?? plans.executors[handle], isMeant?(record.worker) ?? true
      else { continue }
      notices.note(record)
      if let worker = record.worker {
        notices.tell(worker, state, of: slot, plans)
      } else if let physics = record.physics {
        physics.noticed(plans.movement.properties[slot].reference, state)
      } else {
        record.reading?.noticed(plans.movement.properties[slot].reference, state)
      }
    }
  }

  /// Executors in workers receive the states with their next frame, and are active until then. Executors in this process
  /// have received them.
  private func send(_ notices: Notices, _ fail: (IntentionIdentity, ExecutorHandle) -> Void) {
    for delivery in notices.toWorkers.sorted(by: { $0.worker < $1.worker }) {
      workers.send(delivery.properties, delivery.count, whileHolding: delivery.held, to: delivery.worker)
    }
    for record in notices.heard.sorted(by: { $0.handle < $1.handle }) {
      record.physics?.endNotices { fail($0, record.handle) }
      expectAnswer(of: record)
    }
  }
}
