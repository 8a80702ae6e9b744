import MotionModel

extension ProtoPropertyReference: WireRepresentation {
  init(_ reference: PropertyReference) {
    target = reference.target.text
    property = reference.property.text
  }

  func model() throws(WireError) -> PropertyReference {
    PropertyReference(try Decode.name(target, "target"), try Decode.name(property, "property"))
  }
}

extension ProtoPropertyState: WireRepresentation {
  init(_ state: PropertyState) {
    value = state.value.array
    velocity = state.velocity.array
  }

  func model() throws(WireError) -> PropertyState {
    try ParallelArrays.equal("velocity", velocity.count, "value", value.count)
    return PropertyState(try Decode.lanes(value, "value"), velocity: try Decode.lanes(velocity, "velocity"))
  }
}

extension ProtoFrame: WireRepresentation {
  init(_ frame: Frame) {
    number = frame.number
    time = frame.time
    dt = frame.dt
  }

  func model() throws(WireError) -> Frame {
    Frame(
      number: try Decode.ordinal(number, "number"), time: try Decode.finite(time, "time"),
      dt: try Decode.seconds(dt, "dt"))
  }
}

extension ProtoValues: WireRepresentation {
  init(_ values: Values) {
    frame = values.frame
    time = values.time
    dt = values.dt
    handles = values.handles.map(\.rawValue)
    counts = values.counts.map(UInt32.init)
    lanes = values.lanes
    velocities = values.velocities
    late = values.late.map(\.rawValue)
    complete = values.isComplete
    forgotten = values.forgotten.map(\.rawValue)
    part = values.part
    more = values.hasMore
  }

  func model() throws(WireError) -> Values {
    let counts = try ParallelArrays.counts(counts, handles: handles.count, lanes: lanes.count)
    try ParallelArrays.equalOrEmpty("velocities", velocities.count, "lanes", lanes.count)
    try Decode.finite(lanes, "lanes")
    try Decode.finite(velocities, "velocities")
    return Values(
      frame: frame, time: try Decode.finite(time, "time"), dt: try Decode.seconds(dt, "dt"),
      handles: handles.map(PropertyHandle.init), counts: counts, lanes: lanes, velocities: velocities,
      late: late.map(PropertyHandle.init), isComplete: complete, forgotten: forgotten.map(PropertyHandle.init),
      part: part, hasMore: more)
  }
}

extension ProtoNames.Name: WireRepresentation {
  init(_ name: NamedProperty) {
    handle = name.handle.rawValue
    property = ProtoPropertyReference(name.reference)
    lanes = UInt32(clamping: name.lanes)
  }

  func model() throws(WireError) -> NamedProperty {
    let reference = try Decode.required(hasProperty, property, "property")
    guard (1...UInt32(Limits.lanes)).contains(lanes) else {
      throw WireError(.value, field: "lanes", "\(lanes) is no number of lanes", remedy: "Use 1 to \(Limits.lanes)")
    }
    return NamedProperty(handle: PropertyHandle(handle), reference: reference, lanes: Int(lanes))
  }
}

extension ProtoEnded.Intention: WireRepresentation {
  init(_ ended: EndedIntention) {
    identity = ProtoIntentionIdentity(ended.identity)
    target = ended.target.text
    type = ended.type.text
    if let name = ended.name { self.name = name.text }
    frame = ended.frame
    outcome = ProtoOutcome(ended.outcome)
    reason = Encode.text(ended.reason)
  }

  func model() throws(WireError) -> EndedIntention {
    EndedIntention(
      identity: try Decode.required(hasIdentity, identity, "identity"), target: try Decode.name(target, "target"),
      type: try Decode.name(type, "type"), name: try Decode.name(hasName, name, "name"), frame: frame,
      outcome: try Decode.part(outcome, "outcome"), reason: try Decode.text(reason, "reason"))
  }
}
