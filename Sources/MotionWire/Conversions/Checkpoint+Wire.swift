import MotionModel
import SwiftProtobuf

extension ProtoCheckpoint: WireRepresentation {
  init(_ checkpoint: RuntimeCheckpoint) {
    self.init(head: checkpoint)
    targets = checkpoint.targets.map(Target.init)
    plans = checkpoint.plans.map(Plan.init)
    waiting = checkpoint.waiting.map(Waiting.init)
    scenes = checkpoint.scenes.map(StoredScene.init)
    cues = checkpoint.cues.map(StoredCueList.init)
    (values, velocities) = Self.columns(of: checkpoint)
  }

  /// The values and velocities of all properties. Each change of a field of this message would copy the field.
  static func columns(of checkpoint: RuntimeCheckpoint) -> (values: [Double], velocities: [Double]) {
    var (values, velocities): ([Double], [Double]) = ([], [])
    for property in checkpoint.targets.lazy.flatMap(\.properties) {
      for lane in 0..<property.state.value.count {
        values.append(property.state.value.storage[lane])
        velocities.append(property.state.velocity.storage[lane])
      }
    }
    return (values, velocities)
  }

  /// The parts that exist once: the clock, the owners and the fading hand-overs.
  init(head checkpoint: RuntimeCheckpoint) {
    frame = ProtoFrame(checkpoint.frame)
    clock = ProtoClockState(checkpoint.clock)
    lastSequence = checkpoint.lastSequence
    owners = checkpoint.owners.map { owner in
      .with {
        $0.client = owner.client
        $0.sequences = owner.sequences
      }
    }
    handovers = checkpoint.handovers.map(Handover.init)
    limits = checkpoint.limits.map { ProtoOperation.Limit($0.property.property, $0.property.target, $0.setting) }
    governed = checkpoint.governed.map(Governed.init)
    groups = checkpoint.groups.map(ProtoOperation.Group.init)
  }

  func model() throws(WireError) -> RuntimeCheckpoint {
    var checkpoint = RuntimeCheckpoint()
    checkpoint.frame = try Decode.required(hasFrame, frame, "frame")
    checkpoint.clock = try Decode.required(hasClock, clock, "clock")
    checkpoint.lastSequence = try Decode.ordinal(lastSequence, "last_sequence")
    checkpoint.targets = try placedTargets()
    checkpoint.plans = try Decode.list(plans, "plans") { plan throws(WireError) in
      let plan = try plan.model()
      try Self.check(plan.identity.sequence, "identity.sequence", upTo: lastSequence)
      return plan
    }
    checkpoint.waiting = try Decode.list(waiting, "waiting", atMost: Limits.storedTransactions) {
      waiting throws(WireError) in
      try Self.check(waiting.sequence, "sequence", upTo: lastSequence)
      return try waiting.model()
    }
    checkpoint.owners = owners.map { RuntimeCheckpoint.Owner($0.client, $0.sequences) }
    checkpoint.handovers = try Decode.list(
      handovers.filter { $0.difference.isFinite && $0.remaining.isFinite }, "handovers")
    checkpoint.limits = try Decode.list(limits, "limits", atMost: Limits.limitedProperties) { limit throws(WireError) in
      let (property, target, setting) = try limit.parts()
      return RuntimeCheckpoint.Limit(PropertyReference(target, property), setting)
    }
    checkpoint.governed = try Decode.list(governed, "governed")
    // Without the limits for a commit: transactions that were accepted for one frame may exceed them together.
    checkpoint.groups = try Decode.list(groups, "groups")
    checkpoint.scenes = try Decode.list(scenes, "scenes")
    checkpoint.cues = try Decode.list(cues, "cues")
    return checkpoint
  }

  /// Checks that a sequence is at most the last one that was assigned. Otherwise a later transaction would be confused
  /// with this one.
  static func check(_ sequence: UInt64, _ field: StaticString, upTo last: UInt64) throws(WireError) {
    guard sequence <= last else {
      throw WireError(.value, field: "\(field)", "\(sequence) comes after \(last), the last sequence")
    }
  }

  /// The targets, with the lanes of each of their properties taken from the two long lists. These are the lanes that
  /// follow, or, if the properties state an index, the lanes there. Between these there may be free lanes, of
  /// properties that no longer exist. Once the last property has gone, all lanes are free.
  private func placedTargets() throws(WireError) -> [RuntimeCheckpoint.Target] {
    guard values.count == velocities.count else {
      throw WireError(.value, field: "velocities", "there are \(velocities.count) for \(values.count) values")
    }
    var (next, isPlaced) = (0, false)
    let placed = try Decode.list(targets, "targets") { target throws(WireError) in
      RuntimeCheckpoint.Target(
        try Decode.name(target.name, "name"),
        try Decode.list(target.properties, "properties", atMost: Limits.propertiesPerTarget) {
          property throws(WireError) in
          let lanes = Int(property.lanes)
          if property.hasFirst { (next, isPlaced) = (min(Int(property.first), values.count), true) }
          guard (1...Limits.lanes).contains(lanes), lanes <= values.count - next,
            let value = Lanes(values[next..<next + lanes].lazy.map(Self.number)),
            let velocity = Lanes(velocities[next..<next + lanes].lazy.map(Self.number))
          else { throw WireError(.value, field: "lanes", "\(lanes) lanes are missing") }
          next += lanes
          return RuntimeCheckpoint.Property(
            try Decode.name(property.name, "name"), PropertyState(value, velocity: velocity),
            limits: try Decode.optional(property.hasLimits, property.limits, "limits"))
        })
    }
    guard isPlaced || next == 0 || next == values.count else {
      throw WireError(.value, field: "values", "\(values.count - next) of them belong to no property")
    }
    return placed
  }
}

extension ProtoCheckpoint {
  /// A number of a property's state. Early versions could store infinity, which must not keep motiond from starting. It
  /// becomes the largest number, which no property may have either, so that the runtime reports it.
  private static func number(_ stored: Double) -> Double {
    let largest = Double.greatestFiniteMagnitude
    return stored.isNaN ? largest : min(max(stored, -largest), largest)
  }
}

extension ProtoPropertyState {
  /// Whether its numbers are finite. In checkpoints of early versions they need not be; fading hand-overs and places
  /// that are not finite are left out.
  fileprivate var isFinite: Bool { (value + velocity).allSatisfy(\.isFinite) }
}

extension ProtoCheckpoint.Target {
  init(_ target: RuntimeCheckpoint.Target) {
    name = target.name.text
    properties = target.properties.map { property in
      .with {
        $0.name = property.name.text
        $0.lanes = Encode.count(property.state.value.count)
        if let limits = property.limits { $0.limits = ProtoLimitSetting(limits) }
      }
    }
  }

  /// A target whose properties state the index of their first lane.
  init(_ name: TargetName, placed properties: [RuntimeCheckpoint.Place]) {
    self.name = name.text
    self.properties = properties.map { place in
      .with {
        $0.name = place.name.text
        $0.lanes = Encode.count(place.lanes)
        $0.first = Encode.count(place.first)
        if let limits = place.limits { $0.limits = ProtoLimitSetting(limits) }
      }
    }
  }
}

extension ProtoCheckpoint.Plan: WireRepresentation {
  init(_ plan: RuntimeCheckpoint.Plan) {
    identity = ProtoIntentionIdentity(plan.identity)
    target = plan.target.text
    if let name = plan.name { self.name = name.text }
    intention = ProtoIntention(plan.intention)
    if let start = plan.start {
      self.start = .with {
        $0.frame = start.frame
        $0.time = start.time
      }
    }
    places = plan.places.map(ProtoPlannedIntention.Start.init)
    emittedBelow = plan.emittedBelow
    emitted = plan.emitted
    if let provenance = plan.provenance { self.provenance = ProtoProvenance(provenance) }
    if let duration = plan.duration { self.duration = duration }
    if let limits = plan.limits { self.limits = ProtoLimitSetting(limits) }
    if let begins = plan.begins { self.begins = begins }
  }

  func model() throws(WireError) -> RuntimeCheckpoint.Plan {
    var plan = RuntimeCheckpoint.Plan(
      try Decode.required(hasIdentity, identity, "identity"),
      try Decode.required(hasIntention, intention, "intention"), named: try Decode.name(hasName, name, "name"),
      on: try Decode.name(target, "target"))
    if hasStart { plan.start = .init(frame: start.frame, time: try Decode.finite(start.time, "start")) }
    plan.places = try Decode.list(
      places.filter(\.state.isFinite), "places", atMost: Limits.propertiesPerTarget)
    plan.emittedBelow = emittedBelow
    plan.emitted = emitted
    plan.provenance = try Decode.optional(hasProvenance, provenance, "provenance")
    if hasDuration { plan.duration = try Decode.finite(duration, "duration") }
    plan.limits = try Decode.optional(hasLimits, limits, "limits")
    plan.begins = try Decode.finite(hasBegins, begins, "begins")
    return plan
  }
}

extension ProtoCheckpoint.Plan {
  /// The plan, or a placeholder that every runtime refuses if the plan cannot be decoded. `nil` if not even its
  /// identity, type and target can be decoded.
  func recovered() -> RuntimeCheckpoint.Plan? {
    do {
      return try model()
    } catch {
      guard let identity = try? identity.model(), let type = try? IntentionType(intention.type),
        let target = try? TargetName(target)
      else { return nil }
      return RuntimeCheckpoint.Plan(identity, .unreadable(type, error.description), named: nil, on: target)
    }
  }
}

extension ProtoCheckpoint.Waiting: WireRepresentation {
  init(_ waiting: RuntimeCheckpoint.Waiting) {
    at = waiting.at
    sequence = waiting.sequence
    operations = waiting.transaction.log.map(ProtoOperation.init)
    if let provenance = waiting.provenance { self.provenance = ProtoProvenance(provenance) }
  }

  func model() throws(WireError) -> RuntimeCheckpoint.Waiting {
    RuntimeCheckpoint.Waiting(
      at: try Decode.finite(at, "at"), sequence: sequence, try ProtoOperation.transaction(operations),
      by: try Decode.optional(hasProvenance, provenance, "provenance"))
  }
}

extension ProtoCheckpoint.Handover: WireRepresentation {
  init(_ handover: RuntimeCheckpoint.Handover) {
    property = ProtoPropertyReference(handover.property)
    difference = ProtoPropertyState(handover.difference)
    remaining = handover.remaining
  }

  func model() throws(WireError) -> RuntimeCheckpoint.Handover {
    RuntimeCheckpoint.Handover(
      try Decode.required(hasProperty, property, "property"),
      try Decode.required(hasDifference, difference, "difference"),
      remaining: try Decode.seconds(remaining, "remaining"))
  }
}
