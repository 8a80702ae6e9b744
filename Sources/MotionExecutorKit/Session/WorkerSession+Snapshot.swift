import MotionCore
public import MotionModel

extension WorkerSession {
  /// Makes the session hold exactly the contents of the snapshot.
  ///
  /// - Existing executors are kept, with those of their plans that are in the snapshot.
  /// - Plans and executors that the snapshot lacks are removed; those that are missing here are added.
  /// - Executors are notified of changes of the driver.
  /// - A new executor is made, and receives its plans with their starts.
  public func provision(_ snapshot: WorkerSnapshot) {
    frame = snapshot.frame
    read = [:]
    note(snapshot.properties)
    let wanted = Dictionary(snapshot.executors.map { ($0.handle, $0.key) }) { first, _ in first }
    for handle in order where executors[handle]?.key != wanted[handle] { removeExecutor(handle) }
    for executor in snapshot.executors { reconcile(executor) }
  }

  private func reconcile(_ wanted: WorkerSnapshot.Executor) {
    let identities = Set(wanted.intentions.map(\.identity))
    if let hosted = executors[wanted.handle] {
      for planned in hosted.plans where !identities.contains(planned.identity) { hosted.remove(planned.identity) }
    }
    let known = Set(executors[wanted.handle]?.plans.map(\.identity) ?? [])
    for planned in wanted.intentions where !known.contains(planned.identity) {
      add(planned, to: wanted.handle, wanted.key)
    }
    guard let hosted = findOrMake(wanted.handle, wanted.key) else { return }
    let displaced = Set(wanted.displaced)
    for property in wanted.displaced where !hosted.displaced.contains(property) {
      displace(property, of: wanted.handle)
    }
    for driven in wanted.driven where !displaced.contains(driven.property) {
      if hosted.displaced.contains(driven.property) {
        resume(driven.property, of: wanted.handle, from: driven.state, at: frame.time)
      } else {
        hosted.states[driven.property] = driven.state
      }
    }
  }
}
