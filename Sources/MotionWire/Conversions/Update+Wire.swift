import MotionModel
import SwiftProtobuf

extension ProtoUpdate: WireRepresentation {
  /// The number that encodes a time that is not given.
  private static let noTime = -1.0

  init(_ update: WorkerUpdate) {
    frame = update.frame
    commandsApplied = update.commandsApplied
    switch update.shape {
    case .none: break
    case .announced(let number), .named(let number): shape = number
    }
    if case .named = update.shape {
    } else {
      executors = update.writes.map(\.executor.rawValue)
      handles = update.writes.map(\.property.rawValue)
      counts = update.writes.map { UInt32($0.state.value.count) }
    }
    lanes.reserveCapacity(update.writes.count)
    velocities.reserveCapacity(update.writes.count)
    for write in update.writes {
      for lane in 0..<write.state.value.count {
        lanes.append(write.state.value[lane])
        velocities.append(write.state.velocity.storage[lane])
      }
    }
    if update.writes.contains(where: { !$0.imposes.isEmpty }) {
      imposes = update.writes.map { UInt32($0.imposes.rawValue) }
    }
    if update.writes.contains(where: { $0.remaining != nil }) {
      remaining = update.writes.map { $0.remaining.map { max(0, $0) } ?? Self.noTime }
    }
    if update.writes.contains(where: { $0.carry != nil }) {
      carry = update.writes.map { $0.carry.map { max(0, $0) } ?? Self.noTime }
    }
    events = update.events.map(Event.init)
  }

  func model() throws(WireError) -> WorkerUpdate {
    let hasRows = !executors.isEmpty || !handles.isEmpty || !counts.isEmpty
    let named = WorkerUpdate.Shape(shape, hasRows: hasRows, hasValues: !lanes.isEmpty)
    var update = WorkerUpdate(
      frame: frame, events: try Decode.list(events, "events", atMost: Limits.unacknowledgedEvents),
      commandsApplied: commandsApplied)
    update.shape = named
    if case .named = named { update.columns = try columns() } else { update.writes = try writes() }
    return update
  }

  /// The update without its events, as the link makes writes of it.
  private func columns() throws(WireError) -> [UInt8] {
    guard lanes.count <= Limits.valuesPerUpdate else {
      throw .limit("lanes", lanes.count, atMost: Limits.valuesPerUpdate, of: "lanes")
    }
    var values = self
    values.events = []
    values.unknownFields = UnknownStorage()
    return MessageBytes.encode(values)
  }

  private func writes() throws(WireError) -> [PropertyWrite] {
    guard lanes.count <= Limits.valuesPerUpdate else {
      throw .limit("lanes", lanes.count, atMost: Limits.valuesPerUpdate, of: "lanes")
    }
    let counts = try ParallelArrays.counts(counts, handles: handles.count, lanes: lanes.count)
    try ParallelArrays.equal("executors", executors.count, "handles", handles.count)
    try ParallelArrays.equal("velocities", velocities.count, "lanes", lanes.count)
    try ParallelArrays.equalOrEmpty("imposes", imposes.count, "handles", handles.count)
    try ParallelArrays.equalOrEmpty("remaining", remaining.count, "handles", handles.count)
    try ParallelArrays.equalOrEmpty("carry", carry.count, "handles", handles.count)
    try Decode.finite(lanes, "lanes")
    try Decode.finite(velocities, "velocities")
    try Decode.finite(remaining, "remaining")
    try Decode.finite(carry, "carry")
    var writes: [PropertyWrite] = []
    writes.reserveCapacity(counts.count)
    var first = 0
    for (index, count) in counts.enumerated() {
      var value = Lanes.zero(count: Int(count))
      var velocity = value
      for lane in 0..<Int(count) {
        value[lane] = lanes[first + lane]
        velocity[lane] = velocities[first + lane]
      }
      first += Int(count)
      writes.append(
        PropertyWrite(
          executor: ExecutorHandle(executors[index]), property: PropertyHandle(handles[index]),
          state: PropertyState(value, velocity: velocity),
          imposes: imposes.isEmpty ? [] : Imposed(rawValue: try Decode.byte(imposes[index], "imposes", index: index)),
          remaining: remaining.isEmpty || remaining[index] < 0 ? nil : remaining[index],
          carry: carry.isEmpty || carry[index] < 0 ? nil : carry[index]))
    }
    return writes
  }
}

extension ProtoUpdate.Event: WireRepresentation {
  init(_ numbered: WorkerUpdate.NumberedEvent) {
    number = numbered.number
    event =
      switch numbered.event {
      case .activity(let executor, let isActive):
        .activity(
          .with {
            $0.executor = executor.rawValue
            $0.active = isActive
          })
      case .started(let executor, let token, let moving, let places):
        .started(ProtoUpdate.Execution(executor, token, moving: moving, from: places))
      case .ended(let executor, let token): .ended(ProtoUpdate.Execution(executor, token))
      case .finished(let executor, let identity, let outcome):
        .finished(
          .with {
            $0.executor = executor.rawValue
            $0.identity = ProtoIntentionIdentity(identity)
            $0.outcome = ProtoOutcome(outcome)
          })
      case .failed(let executor, let identity, let reason):
        .failed(
          .with {
            $0.executor = executor.rawValue
            $0.identity = ProtoIntentionIdentity(identity)
            $0.reason = Encode.text(reason)
          })
      case .emitted(let executor, let parent, let ordinal, let intention, let name):
        .emitted(
          .with {
            $0.executor = executor.rawValue
            $0.parent = ProtoIntentionIdentity(parent)
            $0.ordinal = ordinal
            $0.intention = ProtoIntention(intention)
            if let name { $0.name = name.text }
          })
      }
  }

  func model() throws(WireError) -> WorkerUpdate.NumberedEvent {
    WorkerUpdate.NumberedEvent(number, try workerEvent())
  }

  private func workerEvent() throws(WireError) -> WorkerEvent {
    switch event {
    case .activity(let activity): return .activity(ExecutorHandle(activity.executor), activity.active)
    case .started(let execution):
      return .started(
        ExecutorHandle(execution.executor), try Decode.name(execution.token, "started.token"),
        moving: try Decode.names(execution.moving, "started.moving", atMost: Limits.propertiesPerTarget),
        from: try execution.places())
    case .ended(let execution):
      return .ended(ExecutorHandle(execution.executor), try Decode.name(execution.token, "ended.token"))
    case .finished(let finished):
      return .finished(
        ExecutorHandle(finished.executor),
        try Decode.required(finished.hasIdentity, finished.identity, "finished.identity"),
        try Decode.part(finished.outcome, "finished.outcome"))
    case .failed(let failed):
      return .failed(
        ExecutorHandle(failed.executor), try Decode.required(failed.hasIdentity, failed.identity, "failed.identity"),
        reason: try Decode.text(failed.reason, "failed.reason"))
    case .emitted(let emitted):
      return .emitted(
        ExecutorHandle(emitted.executor),
        parent: try Decode.required(emitted.hasParent, emitted.parent, "emitted.parent"), ordinal: emitted.ordinal,
        try Decode.required(emitted.hasIntention, emitted.intention, "emitted.intention"),
        named: try Decode.name(emitted.hasName, emitted.name, "emitted.name"))
    case nil: throw .nothingChosen("event")
    }
  }
}

extension ProtoUpdate.Execution {
  fileprivate init(
    _ executor: ExecutorHandle, _ token: TokenName, moving: [PropertyName] = [], from places: [Lanes] = []
  ) {
    self.init()
    self.moving = moving.map(\.text)
    counts = places.map { UInt32($0.count) }
    lanes = places.flatMap { place in (0..<place.count).map { place[$0] } }
    self.executor = executor.rawValue
    self.token = token.text
  }

  /// The values of the moved properties from which the executor's own values count; none, or one for each property.
  fileprivate func places() throws(WireError) -> [Lanes] {
    guard !counts.isEmpty || !lanes.isEmpty else { return [] }
    do {
      try Decode.finite(lanes, "lanes")
      let counts = try ParallelArrays.counts(counts, handles: moving.count, lanes: lanes.count)
      var next = 0
      var places: [Lanes] = []
      for count in counts {
        var place = Lanes.zero(count: Int(count))
        for lane in 0..<Int(count) { place[lane] = lanes[next + lane] }
        next += Int(count)
        places.append(place)
      }
      return places
    } catch {
      throw error.within("started")
    }
  }
}
