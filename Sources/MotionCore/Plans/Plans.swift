import MotionModel

/// The plans of a runtime in their tables: targets, the executors of targets, and the intentions that these fulfil.
///
/// It finds and counts records. What happens to them is decided elsewhere.
final class Plans {
  let movement: Movement
  // The runtime has one owner, and no reference to these fields leaves it. Accesses to them follow each other, or nest
  // at different places. Checking that at run time took 5 % of a large transaction.
  @exclusivity(unchecked) var targets = NameTable<TargetRecord>()
  @exclusivity(unchecked) var targetOrder = TargetOrder()
  @exclusivity(unchecked) var executors = NumberedTable<ExecutorHandle, ExecutorRecord>()
  let intentions = IntentionTable()
  /// The latest numbers that were given out.
  var last = LastNumbers()
  /// How many plans have a priority.
  var ranked = 0
  /// The frame that applies the newest transaction that states a priority, of those committed for the next frame.
  var rankedFrame: UInt64 = 0
  /// Which executors read which properties, and by how many plans.
  var readers: [PropertyReference: [ExecutorHandle: Int]] = [:]
  /// The plans that wait for their time.
  var delayed = DelayedPlans()
  /// The input values, and which executors follow them.
  var inputs = InputTable()
  /// The groups of targets.
  var groups = GroupTable()
  /// The provenance of transactions.
  var provenances = ProvenanceLedger()
  /// The records whose changes have not been reported for checkpoints.
  var checkpoints = CheckpointLog()

  /// No plans, for properties that the movement has.
  init(_ movement: Movement) { self.movement = movement }

  // MARK: Targets

  /// Creates a target that does not exist.
  func makeTarget(_ name: TargetName, _ hash: NameHash) -> TargetRecord {
    last.target += 1
    let target = TargetRecord(name, ordinal: last.target)
    targetOrder.append(targets.insert(target, hash), ordinal: last.target)
    checkpoints.touch(target)
    return target
  }

  /// The targets, in order of first mention.
  var targetsInOrder: [TargetName] { firstTargets(Int.max) }

  /// The first targets that were mentioned, at most so many, in order. Linear in their number and in the number of
  /// forgotten targets among them.
  func firstTargets(_ count: Int) -> [TargetName] {
    var names: [TargetName] = []
    guard count > 0 else { return names }
    _ = targetOrder.visit(from: 1, through: last.target, atMost: Int.max) { number in
      if let record = targets[number] { names.append(record.name) }
      return names.count < count
    }
    return names
  }

  /// The intentions on a target, in order of addition.
  func identities(on target: TargetName) -> [IntentionIdentity] {
    let records = Array(targets[target]?.executors ?? []).flatMap { executors[$0]?.intentions ?? [] }
      .compactMap { intentions[$0] }
    return records.sorted { $0.order < $1.order }.map(\.identity)
  }

  /// The plans of a name on a target, in order of addition: more than one while the later ones wait for their time to
  /// replace it.
  func identities(named name: IntentionName, on target: TargetRecord) -> [IntentionIdentity] {
    guard let last = target.names[name] else { return [] }
    guard target.hasNamesakes else { return [last] }
    return identities(on: target.name).filter { intentions[$0]?.name == name }
  }

  /// Lets the time of a plan come: from now on it is the one that was added last.
  func begin(_ record: IntentionRecord, of executor: ExecutorRecord) {
    record.begins = nil
    last.order += 1
    checkpoints.renumber(record, order: last.order)
    guard let index = executor.intentions.firstIndex(of: record.identity) else { return }
    executor.intentions.append(executor.intentions.remove(at: index))
  }

  /// The executors of a target, in order of creation.
  func executorsInOrder(on target: TargetName) -> [ExecutorRecord] {
    (targets[target]?.executors ?? []).sorted().compactMap { executors[$0] }
  }

  /// The executors that read a property, in order of creation.
  func readers(of reference: PropertyReference) -> [ExecutorHandle] { readers[reference]?.keys.sorted() ?? [] }

  // MARK: Properties

  /// The slot of a property, created with so many lanes at its first mention.
  func makeSlot(_ property: PropertyName, lanes: Int, on target: TargetRecord) -> PropertyTable.Slot {
    if let slot = slot(of: property, on: target) { return slot }
    let reference = PropertyReference(target.name, property)
    let slot = movement.properties.makeSlot(for: reference, lanes: lanes)
    if !readers.isEmpty { movement.properties[slot].readers = readers(of: reference) }
    target.slots.append(slot)
    checkpoints.touch(target)
    return slot
  }

  /// The slot of a property, or `nil` if there is none of that name. Linear in the properties of the target, which are
  /// few: comparing their names costs less than hashing one.
  func slot(of property: PropertyName, on target: TargetRecord) -> PropertyTable.Slot? {
    for slot in target.slots where movement.properties[slot].reference.property == property { return slot }
    return nil
  }

  /// The slot of a property of any target, or `nil` if there is none of that name.
  func find(_ reference: PropertyReference) -> PropertyTable.Slot? {
    targets[reference.target].flatMap { slot(of: reference.property, on: $0) }
  }

  /// The number of lanes of a property, or `nil` if there is none of that name.
  func lanes(of reference: PropertyReference) -> Int? { find(reference).map { movement.properties.lanes(at: $0) } }

  /// The state of a property, or `nil` if there is none of that name.
  func state(of reference: PropertyReference) -> PropertyState? {
    find(reference).map { movement.properties.state(at: $0) }
  }

  /// The properties that plans of an executor write, in order.
  func writtenSlots(of record: ExecutorRecord) -> [PropertyTable.Slot] {
    Set(record.intentions.flatMap { intentions[$0].map { Array($0.slots) } ?? [] }).sorted()
  }

  /// Visits the properties that plans of an executor write, in order. Without an array for the only one of most.
  func visitWrittenSlots(of record: ExecutorRecord, _ body: (PropertyTable.Slot) -> Void) {
    if record.intentions.count == 1, let slots = intentions[record.intentions[0]]?.slots, slots.count == 1 {
      body(slots[0])
    } else {
      for slot in writtenSlots(of: record) { body(slot) }
    }
  }

  /// The properties that the plans of a worker read, in order.
  func reads(in worker: WorkerAddress) -> [PropertyReference] {
    readers.filter { $0.value.keys.contains { executors[$0]?.worker == worker } }.keys.sorted()
  }

  // MARK: Numbers

  /// Whether there are numbers and lanes left for so many.
  func hasNumbers(executors: Int, properties: Int) -> Bool {
    Int(last.executor) + executors <= Int(UInt32.max)
      && Int(movement.properties.lastHandle) + properties <= Int(UInt32.max)
      && movement.properties.columns.values.count + 4 * properties <= PropertyColumns.mostLanes
  }
}

/// The latest numbers that were given out: the next transaction, plan, target and executor continue from them.
struct LastNumbers {
  var sequence: UInt64 = 0
  var order: UInt64 = 0
  var target: UInt64 = 0
  var executor: UInt32 = 0
}
