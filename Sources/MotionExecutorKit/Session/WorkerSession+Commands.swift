import MotionCore
public import MotionModel

extension WorkerSession {
  /// Applies a command.
  public func apply(_ command: WorkerCommand) {
    switch command {
    case .add(let handle, let key, let planned): add(planned, to: handle, key)
    case .remove(let handle, let identity): remove(identity, from: handle)
    case .removeExecutor(let handle): removeExecutor(handle)
    case .displaced(let handle, let property): displace(property, of: handle)
    case .resumed(let handle, let property, let state, let time): resume(property, of: handle, from: state, at: time)
    case .properties(let properties): note(properties)
    case .input(let handle, let input, let properties): receive(input, over: properties, by: handle)
    case .shutdown(let isFinal): endsForGood = isFinal
    }
  }

  private func remove(_ identity: IntentionIdentity, from handle: ExecutorHandle) {
    guard let hosted = executors[handle] else { return }
    hosted.remove(identity)
    // Another plan of this executor may have waited for a property that the removed plan moved.
    if !hosted.plans.isEmpty { wake(hosted) }
  }

  func add(_ planned: PlannedIntention, to handle: ExecutorHandle, _ key: ExecutorKey) {
    guard let hosted = findOrMake(handle, key) else {
      let known = types.map(\.text).joined(separator: ", ")
      return events.append(
        .failed(handle, planned.identity, reason: "this plugin has no executor \(key.type), only \(known)"))
    }
    do {
      try hosted.add(planned)
      wake(hosted)
    } catch {
      events.append(.failed(handle, planned.identity, reason: String(describing: error)))
    }
  }

  func displace(_ property: PropertyName, of handle: ExecutorHandle) {
    guard let hosted = executors[handle], hosted.displaced.insert(property).inserted else { return }
    hosted.taken.remove(property)
    (hosted.executor as? any YieldingExecutor)?.displaced(property)
  }

  func resume(_ property: PropertyName, of handle: ExecutorHandle, from state: PropertyState, at time: Double) {
    // An executor that took the property over by itself has already continued.
    guard let hosted = executors[handle], hosted.taken.remove(property) == nil else { return }
    hosted.displaced.remove(property)
    hosted.states[property] = state
    (hosted.executor as? any YieldingExecutor)?.resumed(property, from: state, at: time)
    wake(hosted)
  }

  private func receive(_ input: PointerInput, over properties: [ReadProperty], by handle: ExecutorHandle) {
    guard let hosted = executors[handle], let executor = hosted.executor as? any InputExecutor else { return }
    for property in properties where property.reference.target == hosted.key.target {
      hosted.states[property.reference.property] = property.state
    }
    executor.receive(input)
    wake(hosted)
  }

  /// Stores the states of properties, and notifies the executors that read them.
  func note(_ properties: [ReadProperty]) {
    for property in properties where update(property) {
      for handle in readIndex.readers(of: property.reference) {
        guard let hosted = executors[handle] else { continue }
        hosted.reading?.noticed(property.reference, property.state)
        wake(hosted)
      }
    }
  }

  /// Takes over the state of a property that was read; returns whether it is another one.
  private func update(_ property: ReadProperty) -> Bool {
    guard let place = read.index(forKey: property.reference), let state = property.state else {
      let former = read[property.reference]
      read[property.reference] = property.state
      return former != property.state
    }
    guard read.values[place] != state else { return false }
    read.values[place] = state
    return true
  }
}
