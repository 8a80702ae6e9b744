import MotionCore
public import MotionModel

extension WorkerSession {
  /// Holds what the snapshot says and nothing else.
  ///
  /// Executors that it has are kept, and with them their plans: what the snapshot lacks is removed, what it has more is
  /// added, what changed hands is told. An executor that is new here is made and given its plans with their starts.
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
