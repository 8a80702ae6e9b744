import MotionCore
import MotionModel

/// The position of an executor in the update order of a frame: the executors of a target are updated one after the
/// other.
struct UpdateOrder: Hashable, Comparable {
  /// The executor of this target that was made first.
  let target: ExecutorHandle
  let executor: ExecutorHandle

  static func < (one: UpdateOrder, other: UpdateOrder) -> Bool {
    (one.target, one.executor) < (other.target, other.executor)
  }
}

/// An executor in this worker, with the state that its host keeps for it.
final class HostedExecutor {
  /// A property that the executor's plans write.
  struct WrittenProperty {
    let handle: PropertyHandle
    let lanes: Int
  }

  let key: ExecutorKey
  let turn: UpdateOrder
  let executor: any Executor
  /// The same, if it is told of the properties that it reads.
  var reading: (any ReadingExecutor)? { reads.executor }
  /// Keeps the executor's reference to its host alive as long as the executor.
  let context: ExecutorContext
  /// Its plans, in the order of their addition.
  var plans: [PlannedIntention] = []
  /// The ordinals of the children that were emitted, by plan.
  var emitted: [IntentionIdentity: Set<UInt32>] = [:]
  /// All properties that its plans have written so far, by name.
  var written: [PropertyName: WrittenProperty] = [:]
  /// The last known states of these properties: starts of plans, own writes, and states that the coordinator sent.
  var states: [PropertyName: PropertyState] = [:]
  /// Properties that another writer drives.
  var displaced: Set<PropertyName> = []
  /// Properties that the executor took over by itself, before the coordinator has confirmed that it drives them.
  var taken: Set<PropertyName> = []
  /// Whether the executor needs the next frame, and the value last reported to the coordinator.
  var wantsUpdate = false
  var saidActivity = false
  /// The last frame it ran, if it has wanted every frame since.
  var lastFrame: Frame?

  var handle: ExecutorHandle { context.executor }

  private let reads: Reads

  /// What an executor reads. Whether it is told of that is asked once: the question takes longer than the answer's use.
  private struct Reads {
    let executor: (any ReadingExecutor)?
    let descriptions: [IntentionDescription]
    let index: ReadIndex

    /// The properties that a plan reads.
    func references(of planned: PlannedIntention, on target: TargetName) -> [PropertyReference] {
      guard executor != nil else { return [] }
      let description = descriptions.first { $0.type == planned.intention.type }
      return description?.reads(of: planned.intention, on: target) ?? []
    }
  }

  /// Makes an executor of the type that `declaration` declares. Its reads are recorded in `index`.
  init(
    _ declaration: ExecutorDeclaration, key: ExecutorKey, context: ExecutorContext, turn: UpdateOrder,
    readsNotedIn index: ReadIndex
  ) {
    self.key = key
    self.turn = turn
    executor = declaration.make(key.target, context)
    self.context = context
    reads = Reads(
      executor: executor as? any ReadingExecutor, descriptions: declaration.descriptions, index: index)
  }

  /// Adds a plan. Rethrows the executor's error; the state is then as before.
  func add(_ planned: PlannedIntention) throws {
    let before = (written, states, displaced)
    plans.append(planned)
    reads.index.add(reads.references(of: planned, on: key.target), of: handle)
    for start in planned.starts {
      written[start.property] = WrittenProperty(handle: start.handle, lanes: start.state.value.count)
      states[start.property] = start.state
      displaced.remove(start.property)
    }
    do {
      switch (planned.name, executor) {
      case (nil, _): try executor.add(planned)
      case (let name?, let named as any NamedExecutor): try named.add(planned, named: name)
      case (let name?, _): throw NameNotTaken(type: key.type, name: name)
      }
    } catch {
      retire(planned.identity)
      (written, states, displaced) = before
      throw error
    }
  }

  /// Removes a plan. An unknown identity is passed to the executor as well, which ignores it.
  func remove(_ identity: IntentionIdentity) {
    let planned = retire(identity)
    if let name = planned?.name, let named = executor as? any NamedExecutor {
      named.remove(named: name)
    } else {
      executor.remove(identity)
    }
  }

  /// Discards a plan that has ended.
  @discardableResult
  func retire(_ identity: IntentionIdentity) -> PlannedIntention? {
    guard let index = plans.firstIndex(where: { $0.identity == identity }) else { return nil }
    emitted[identity] = nil
    let planned = plans.remove(at: index)
    reads.index.remove(reads.references(of: planned, on: key.target), of: handle)
    return planned
  }

  /// Makes the executor drive a property again, without waiting for the coordinator.
  func takeHold(of property: PropertyName) {
    if displaced.remove(property) != nil { taken.insert(property) }
  }

  /// Discards all of its plans.
  func retireAll() {
    for planned in plans { reads.index.remove(reads.references(of: planned, on: key.target), of: handle) }
    plans = []
    emitted = [:]
  }

  /// The frame as this executor sees it: longer if frames were missed while the executor wanted them.
  func frame(for frame: Frame) -> Frame {
    guard let last = lastFrame, last.number + 1 < frame.number, last.time < frame.time else { return frame }
    return Frame(number: frame.number, time: frame.time, dt: frame.time - last.time)
  }
}

/// A named plan was sent to an executor that accepts none.
struct NameNotTaken: Error, CustomStringConvertible {
  let type: ExecutorType
  let name: IntentionName

  var description: String { "\(type) takes no named intentions; add it without the name \"\(name)\"" }
}
