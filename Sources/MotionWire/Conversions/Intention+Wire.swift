import MotionModel

extension ProtoIntention: WireRepresentation {
  init(_ intention: Intention) {
    type = intention.type.text
    fields = intention.fields.map(ProtoField.init)
    priority = intention.priority
    after = intention.after
  }

  func model() throws(WireError) -> Intention {
    let type: IntentionType = try Decode.name(type, "type")
    let fields = try Decode.list(fields, "fields", atMost: Limits.fieldsPerIntention)
    let intention = Intention(type, fields, priority: priority, after: try Decode.finite(after, "after"))
    // The initialiser keeps the last of two fields with one name. Here that would hide an error of the sender.
    guard intention.fields.count == fields.count else {
      throw WireError(.value, field: "fields", "a field is given twice", remedy: "Give each field once")
    }
    return intention
  }
}

extension ProtoIntentionKind: WireRepresentation {
  init(_ kind: IntentionKind) {
    self =
      switch kind {
      case .standing: .standing
      case .oneShot: .oneShot
      case .manipulation: .manipulation
      case .output: .output
      }
  }

  func model() throws(WireError) -> IntentionKind {
    switch self {
    case .standing: .standing
    case .oneShot: .oneShot
    case .manipulation: .manipulation
    case .output: .output
    case .unspecified, .UNRECOGNIZED: throw .unknown(rawValue)
    }
  }
}

extension ProtoPlannedIntention: WireRepresentation {
  init(_ planned: PlannedIntention) {
    identity = ProtoIntentionIdentity(planned.identity)
    intention = ProtoIntention(planned.intention)
    if let name = planned.name { self.name = name.text }
    startFrame = planned.startFrame
    startTime = planned.startTime
    starts = planned.starts.map(Start.init)
  }

  func model() throws(WireError) -> PlannedIntention {
    PlannedIntention(
      identity: try Decode.required(hasIdentity, identity, "identity"),
      intention: try Decode.required(hasIntention, intention, "intention"),
      name: try Decode.name(hasName, name, "name"), startFrame: startFrame,
      startTime: try Decode.finite(startTime, "start_time"),
      starts: try Decode.list(starts, "starts", atMost: Limits.propertiesPerTarget))
  }
}

extension ProtoPlannedIntention.Start: WireRepresentation {
  init(_ start: PlannedIntention.Start) {
    property = start.property.text
    handle = start.handle.rawValue
    state = ProtoPropertyState(start.state)
    if let lanes = start.acceleration { acceleration = (0..<lanes.count).map { lanes[$0] } }
  }

  func model() throws(WireError) -> PlannedIntention.Start {
    PlannedIntention.Start(
      try Decode.name(property, "property"), handle: PropertyHandle(handle),
      state: try Decode.required(hasState, state, "state"), acceleration: try decodedAcceleration())
  }

  private func decodedAcceleration() throws(WireError) -> Lanes? {
    // Only a state that has as many lanes has this acceleration; without it, it is unknown.
    guard !acceleration.isEmpty, acceleration.count == state.value.count else { return nil }
    return try Decode.lanes(acceleration, "acceleration")
  }
}
