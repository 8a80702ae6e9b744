import MotionModel

/// The slots of all workers: those that serve, the successors that are being started beside them, and the workers in
/// whose place others serve until they have ended.
struct WorkerTable {
  private(set) var slots: [WorkerAddress: WorkerSlot] = [:]
  /// The same slots, by address, so that operations on all of them have one order.
  private(set) var inOrder: [WorkerSlot] = []
  /// Workers that are being started in the place of others that still serve.
  private(set) var successors: [WorkerAddress: WorkerSlot] = [:]
  /// Workers in whose place others serve, until they have ended.
  private(set) var departing: [WorkerSlot] = []
  private var connected: [UInt64: WorkerSlot] = [:]
  private(set) var lastIncarnation: UInt64 = 0

  /// All slots: the serving ones, the departing ones and the successors.
  var all: [WorkerSlot] {
    if successors.isEmpty, departing.isEmpty { return inOrder }
    return inOrder + departing + successors.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The slot that serves, or is to serve, as this worker.
  subscript(worker: WorkerAddress) -> WorkerSlot? { slots[worker] }

  /// The slots of a plugin that serve, or are to serve.
  func slots(of plugin: PluginName) -> [WorkerSlot] { inOrder.filter { $0.address.plugin == plugin } }

  /// Whether a slot is a successor or departing, so that its events do not affect clients.
  func isAside(_ slot: WorkerSlot) -> Bool { slots[slot.address] !== slot }

  /// The slot whose present life has this incarnation.
  func slot(of address: WorkerAddress, incarnation: UInt64) -> WorkerSlot? {
    if let slot = slots[address], slot.incarnation == incarnation { return slot }
    if let slot = successors[address], slot.incarnation == incarnation { return slot }
    return departing.first { $0.address == address && $0.incarnation == incarnation }
  }

  /// The slot whose messages with this incarnation count.
  func connected(_ incarnation: UInt64) -> WorkerSlot? { connected[incarnation] }

  // MARK: Changes

  /// Adds the first slot of a worker.
  mutating func insert(_ slot: WorkerSlot) {
    precondition(slots[slot.address] == nil, "\(slot.address) has a slot already")
    slots[slot.address] = slot
    inOrder.insert(slot, at: inOrder.firstIndex { slot.address < $0.address } ?? inOrder.endIndex)
  }

  /// The number of the next life.
  mutating func nextIncarnation() -> UInt64 {
    lastIncarnation += 1
    return lastIncarnation
  }

  /// The present life of a slot begins: its messages count.
  mutating func connect(_ slot: WorkerSlot) { connected[slot.incarnation] = slot }

  /// The messages of its present life count no more.
  mutating func disconnect(_ slot: WorkerSlot) { connected[slot.incarnation] = nil }

  /// A successor is started beside a slot that serves.
  mutating func add(successor: WorkerSlot) { successors[successor.address] = successor }

  /// A successor is given up.
  mutating func removeSuccessor(of address: WorkerAddress) -> WorkerSlot? { successors.removeValue(forKey: address) }

  /// Another worker serves in its place, or it never served: it is here until its process has ended.
  mutating func depart(_ slot: WorkerSlot) {
    if !departing.contains(where: { $0 === slot }) { departing.append(slot) }
  }

  /// A departing worker has ended.
  mutating func removeDeparting(_ slot: WorkerSlot) { departing.removeAll { $0 === slot } }

  /// Moves a successor into the slot.
  ///
  /// - Returns: the slot that it replaces.
  mutating func promote(_ successor: WorkerSlot) -> WorkerSlot? {
    let address = successor.address
    successors[address] = nil
    let former = slots.updateValue(successor, forKey: address)
    if let index = inOrder.firstIndex(where: { $0.address == address }) { inOrder[index] = successor }
    return former
  }

  /// Removes the slots of a plugin that is gone.
  mutating func remove(_ plugin: PluginName) {
    for slot in slots(of: plugin) { slots[slot.address] = nil }
    inOrder.removeAll { $0.address.plugin == plugin }
  }
}
