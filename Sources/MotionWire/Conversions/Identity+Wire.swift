import MotionModel

extension ProtoIntentionIdentity: WireRepresentation {
  init(_ identity: IntentionIdentity) {
    sequence = identity.sequence
    operation = identity.operation
    path = identity.path
  }

  func model() throws(WireError) -> IntentionIdentity {
    guard path.count <= Limits.emissionDepth else {
      throw .limit("path", path.count, atMost: Limits.emissionDepth, of: "ordinals")
    }
    return IntentionIdentity(sequence: sequence, operation: operation, path: path)
  }
}

extension ProtoOutcome: WireRepresentation {
  init(_ outcome: Outcome) {
    self =
      switch outcome {
      case .completed: .completed
      case .displaced: .displaced
      case .failed: .failed
      }
  }

  func model() throws(WireError) -> Outcome {
    switch self {
    case .completed: .completed
    case .displaced: .displaced
    case .failed: .failed
    case .unspecified, .UNRECOGNIZED: throw .unknown(rawValue)
    }
  }
}

extension ProtoExecutorKey: WireRepresentation {
  init(_ key: ExecutorKey) {
    target = key.target.text
    type = key.type.text
  }

  func model() throws(WireError) -> ExecutorKey {
    ExecutorKey(try Decode.name(target, "target"), try Decode.name(type, "type"))
  }
}

extension ProtoWorkerAddress: WireRepresentation {
  init(_ address: WorkerAddress) {
    plugin = address.plugin.text
    instance = Encode.count(address.instance)
  }

  func model() throws(WireError) -> WorkerAddress {
    guard instance < UInt32(Limits.instancesPerPlugin) else {
      throw WireError(
        .value, field: "instance", "\(instance) is out of range", remedy: "Use 0 to \(Limits.instancesPerPlugin - 1)")
    }
    return WorkerAddress(try Decode.name(plugin, "plugin"), Int(instance))
  }
}

extension ProtoVersionRange: WireRepresentation {
  init(_ range: ClosedRange<Int>) {
    lowest = Encode.count(range.lowerBound)
    highest = Encode.count(range.upperBound)
  }

  func model() throws(WireError) -> ClosedRange<Int> {
    guard lowest >= 1, lowest <= highest else {
      throw WireError(
        .value, "\(lowest) to \(highest) is no range of versions", remedy: "Use 1 or more, the lowest first")
    }
    return Int(lowest)...Int(highest)
  }
}

extension ProtoClockState: WireRepresentation {
  init(_ clock: ClockState) {
    time = clock.time
    speed = clock.speed
    paused = clock.isPaused
    if let hold = clock.hold { self.hold = ProtoClockHold(hold) }
  }

  func model() throws(WireError) -> ClockState {
    ClockState(
      time: try Decode.finite(time, "time"), speed: try Decode.number(speed, "speed", in: Limits.speed),
      isPaused: paused, hold: hasHold ? try Decode.part(hold, "hold") : nil)
  }
}

extension ProtoClockHold: WireRepresentation {
  init(_ hold: ClockHold) {
    refuse = hold.refuses
    since = hold.since
    if hold.by != Committer() { by = ProtoCommitter(hold.by) }
  }

  func model() throws(WireError) -> ClockHold {
    ClockHold(refuses: refuse, since: since, by: hasBy ? try Decode.part(by, "by") : Committer())
  }
}
