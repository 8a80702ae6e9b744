import MotionCore
import MotionModel

/// When an executor is updated in a frame: those of a target one after the other.
struct UpdateOrder: Hashable, Comparable {
  /// The first executor of its target that was made.
  let target: ExecutorHandle
  let executor: ExecutorHandle

  static func < (one: UpdateOrder, other: UpdateOrder) -> Bool {
    (one.target, one.executor) < (other.target, other.executor)
  }
}

/// An executor in this worker, with what its host has to remember for it.
final class HostedExecutor {
  /// A property that its plans write.
  struct WrittenProperty {
    let handle: PropertyHandle
    let lanes: Int
  }

  let handle: ExecutorHandle
  let key: ExecutorKey
  let turn: UpdateOrder
  let executor: any Executor
  /// Keeps the executor's way to its host alive as long as the executor.
  let context: ExecutorContext
  /// Its plans, in the order of their addition.
  var plans: [PlannedIntention] = []
  /// Children that were emitted, by plan.
  var emitted: [IntentionIdentity: Set<UInt32>] = [:]
  /// The properties that its plans ever wrote, by name.
  var written: [PropertyName: WrittenProperty] = [:]
  /// Where these are, as far as it can know: where they began, or where it moved them itself.
  var states: [PropertyName: PropertyState] = [:]
  /// Properties that another writer drives.
  var displaced: Set<PropertyName> = []
  /// Properties that it took hold of by itself, and of which the coordinator has yet to say that it drives them.
  var taken: Set<PropertyName> = []
  /// Whether it wants the next frame, and what was last said of that.
  var wantsUpdate = false
  var saidActivity = false
  /// The last frame it ran, if it has wanted every one since.
  var lastFrame: Frame?

  private let descriptions: [IntentionDescription]
  private let readIndex: ReadIndex

  /// An executor of the type that `declaration` declares, whose reads are noted in `index`.
  init(
    _ declaration: ExecutorDeclaration, key: ExecutorKey, context: ExecutorContext, turn: UpdateOrder,
    readsNotedIn index: ReadIndex
  ) {
    handle = context.executor
    self.key = key
    self.turn = turn
    executor = declaration.make(key.target, context)
    self.context = context
    descriptions = declaration.descriptions
    readIndex = index
  }

  private func reads(of planned: PlannedIntention) -> [PropertyReference] {
    guard executor is any ReadingExecutor else { return [] }
    let description = descriptions.first { $0.type == planned.intention.type }
    return description?.reads(of: planned.intention, on: key.target) ?? []
  }

  /// Gives it a plan. Throws what it throws; it is then as before.
  func add(_ planned: PlannedIntention) throws {
    let before = (written, states, displaced)
    plans.append(planned)
    readIndex.add(reads(of: planned), of: handle)
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

  /// Takes a plan from it; of an unknown one it is told as well, and ignores it.
  func remove(_ identity: IntentionIdentity) {
    let planned = retire(identity)
    if let name = planned?.name, let named = executor as? any NamedExecutor {
      named.remove(named: name)
    } else {
      executor.remove(identity)
    }
  }

  /// Forgets a plan that is over.
  @discardableResult
  func retire(_ identity: IntentionIdentity) -> PlannedIntention? {
    guard let index = plans.firstIndex(where: { $0.identity == identity }) else { return nil }
    emitted[identity] = nil
    let planned = plans.remove(at: index)
    readIndex.remove(reads(of: planned), of: handle)
    return planned
  }

  /// Drives a property again, without waiting to be told.
  func takeHold(of property: PropertyName) {
    if displaced.remove(property) != nil { taken.insert(property) }
  }

  /// Forgets all of its plans.
  func retireAll() {
    for planned in plans { readIndex.remove(reads(of: planned), of: handle) }
    plans = []
    emitted = [:]
  }

  /// The frame as it is for this executor: longer, if frames were missed while it wanted them.
  func frame(for frame: Frame) -> Frame {
    guard let last = lastFrame, last.number + 1 < frame.number, last.time < frame.time else { return frame }
    return Frame(number: frame.number, time: frame.time, dt: frame.time - last.time)
  }
}

/// A named plan for an executor that takes none.
struct NameNotTaken: Error, CustomStringConvertible {
  let type: ExecutorType
  let name: IntentionName

  var description: String { "\(type) takes no named intentions; add it without the name \"\(name)\"" }
}
