import MotionModel

extension ProtoGreeting: WireRepresentation {
  init(_ greeting: Greeting) {
    handshakeVersions = ProtoVersionRange(greeting.handshakeVersions)
    protocolVersions = ProtoVersionRange(greeting.protocolVersions)
    name = Encode.text(greeting.name, atMost: Limits.targetNameBytes)
  }

  func model() throws(WireError) -> Greeting {
    Greeting(
      handshakeVersions: try Decode.required(hasHandshakeVersions, handshakeVersions, "handshake_versions"),
      protocolVersions: try Decode.required(hasProtocolVersions, protocolVersions, "protocol_versions"),
      name: try Decode.text(name, "name", atMost: Limits.targetNameBytes))
  }
}

extension ProtoService: WireRepresentation {
  init(_ service: Service) {
    protocolVersion = Encode.count(service.protocolVersion)
    valuesEndpoint = service.valuesEndpoint
    ratePerSecond = service.ratePerSecond
    clock = ProtoClockState(service.clock)
  }

  func model() throws(WireError) -> Service {
    Service(
      protocolVersion: Int(protocolVersion), valuesEndpoint: try Decode.text(valuesEndpoint, "values_endpoint"),
      ratePerSecond: try Decode.finite(ratePerSecond, "rate_per_second"),
      clock: try Decode.required(hasClock, clock, "clock"))
  }
}

extension ProtoStop: WireRepresentation {
  init(_ stop: StopRequest) {
    targets = stop.selector.map { [$0.text] } ?? stop.targets.map(\.text)
    outputs = stop.outputs
    ramp = stop.ramp
    if let client = stop.by { by = ProtoCommitter(client) }
  }

  func model() throws(WireError) -> StopRequest {
    var stop = StopRequest(outputs: outputs, ramp: ramp)
    if targets.allSatisfy({ TargetNameRule.accepts($0.utf8) }) {
      stop.targets = try Decode.names(targets, "stop.targets")
    } else {
      stop.selector = try Self.selector(targets)
    }
    stop.by = try Decode.optional(hasBy, by, "by")
    return stop
  }
}

extension ProtoStop {
  /// The selector of these names and selectors.
  private static func selector(_ texts: [String]) throws(WireError) -> TargetSelector {
    for (index, text) in texts.enumerated() {
      do throws(TargetSelectorError) {
        _ = try TargetSelector(text)
      } catch {
        throw WireError(.name, field: "stop.targets[\(index)]", error.description)
      }
    }
    do throws(TargetSelectorError) {
      return try TargetSelector(texts)
    } catch {
      throw WireError(.name, field: "stop.targets", error.description)
    }
  }
}

extension ProtoQuery: WireRepresentation {
  init(_ query: Query) {
    self.init()
    switch query {
    case .targets: subject = .targets
    case .properties(let target): ask(.properties, of: target)
    case .executors(let target): ask(.executors, of: target)
    case .intentions(let target): ask(.intentions, of: target)
    case .tokens(let target): ask(.tokens, of: target)
    case .plugins: subject = .plugins
    case .types(let type):
      subject = .types
      if let type { self.type = type.text }
    case .status: subject = .status
    case .graph(let target): ask(.graph, of: target)
    case .waiting: subject = .waiting
    case .inputs: subject = .inputs
    case .clients: subject = .clients
    case .groups: subject = .groups
    case .scenes(let name):
      subject = .scenes
      if let name { scene = name.text }
    case .cues(let name):
      subject = .cues
      if let name { cues = name.text }
    case .snapshot: subject = .snapshot
    case .why(let reference):
      ask(.why, of: reference.target)
      property = reference.property.text
    }
  }

  private mutating func ask(_ subject: Subject, of target: TargetName?) {
    self.subject = subject
    if let target { self.target = target.text }
  }

  func model() throws(WireError) -> Query {
    let target: TargetName? = try Decode.name(hasTarget, target, "target")
    switch subject {
    case .targets: return .targets
    case .properties: return .properties(target)
    case .executors: return .executors(target)
    case .intentions: return .intentions(target)
    case .tokens: return .tokens(target)
    case .plugins: return .plugins
    case .types: return .types(try Decode.name(hasType, type, "type"))
    case .status: return .status
    case .graph: return .graph(target)
    case .waiting: return .waiting
    case .inputs: return .inputs
    case .clients: return .clients
    case .groups: return .groups
    case .scenes: return .scenes(try Decode.name(hasScene, scene, "scene"))
    case .cues: return .cues(try Decode.name(hasCues, cues, "cues"))
    case .snapshot: return .snapshot
    case .why:
      guard let target, hasProperty else { throw WireError(.value, field: "property", "a property is of a target") }
      return .why(PropertyReference(target, try Decode.name(property, "property")))
    case .unspecified, .UNRECOGNIZED: throw WireError.unknown(subject.rawValue).within("subject")
    }
  }
}

extension ProtoClock: WireRepresentation {
  init(_ command: ClockCommand) {
    self.command =
      switch command {
      case .pause: .pause(Pause())
      case .resume: .resume(Resume())
      case .speed(let speed): .speed(speed)
      case .step(let frames): .step(frames)
      case .hold(let hold): .hold(ProtoClockHold(hold))
      case .release: .release(Release())
      }
  }

  func model() throws(WireError) -> ClockCommand {
    switch command {
    case .pause: return .pause
    case .resume: return .resume
    case .speed(let speed):
      guard speed != 0 else {
        throw WireError(.value, field: "speed", "speed 0 would stop time", remedy: "Send pause instead")
      }
      return .speed(try Decode.number(speed, "speed", in: Limits.speed))
    case .step(let frames):
      guard frames > 0 else {
        throw WireError(.value, field: "step", "0 frames are no step", remedy: "Step 1 frame or more")
      }
      return .step(frames)
    case .hold(let hold): return .hold(try Decode.part(hold, "hold"))
    case .release: return .release
    case nil: throw .nothingChosen("command")
    }
  }
}

extension ProtoRecord {
  /// The path of the file; `nil` to end the recording.
  func path() throws(WireError) -> String? {
    switch command {
    case .start(let path):
      guard path.hasPrefix("/"), path.utf8.count <= Limits.pathBytes, !path.utf8.contains(0) else {
        throw WireError(
          .value, field: "record.start", "it is no absolute path of at most \(Limits.pathBytes) bytes",
          remedy: "Send the path from the root")
      }
      return path
    case .stop: return nil
    case nil: throw .nothingChosen("record")
    }
  }
}
