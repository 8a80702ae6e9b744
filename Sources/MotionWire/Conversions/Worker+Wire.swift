import MotionModel

extension ProtoHello: WireRepresentation {
  init(_ hello: Hello) {
    handshakeVersions = ProtoVersionRange(hello.handshakeVersions)
    protocolVersions = ProtoVersionRange(hello.protocolVersions)
    address = ProtoWorkerAddress(hello.address)
    processID = hello.processID
    executors = hello.executors.map(\.text)
  }

  func model() throws(WireError) -> Hello {
    Hello(
      handshakeVersions: try Decode.required(hasHandshakeVersions, handshakeVersions, "handshake_versions"),
      protocolVersions: try Decode.required(hasProtocolVersions, protocolVersions, "protocol_versions"),
      address: try Decode.required(hasAddress, address, "address"), processID: processID,
      executors: try Decode.names(executors, "executors", atMost: Limits.intentionsPerPlugin))
  }
}

extension ProtoWelcome: WireRepresentation {
  init(_ welcome: Welcome) {
    protocolVersion = Encode.count(welcome.protocolVersion)
    commandTopic = welcome.commandTopic
    tickTopic = welcome.tickTopic
    eventTopic = welcome.eventTopic
    wantsUpdates = welcome.wantsUpdates
  }

  func model() throws(WireError) -> Welcome {
    Welcome(
      protocolVersion: Int(protocolVersion),
      commandTopic: try Decode.text(commandTopic, "command_topic", atMost: Topic.longestBytes),
      tickTopic: try Decode.text(tickTopic, "tick_topic", atMost: Topic.longestBytes),
      eventTopic: try Decode.text(eventTopic, "event_topic", atMost: Topic.longestBytes),
      wantsUpdates: wantsUpdates)
  }
}

extension ProtoCoordinatorHeartbeat: WireRepresentation {
  init(_ heartbeat: CoordinatorHeartbeat) {
    lastCommand = heartbeat.lastCommand
    lastEventApplied = heartbeat.lastEventApplied
    interval = heartbeat.interval
    lease = heartbeat.lease
    heardSent = heartbeat.heardSent
  }

  func model() throws(WireError) -> CoordinatorHeartbeat {
    CoordinatorHeartbeat(
      lastCommand: lastCommand, lastEventApplied: lastEventApplied,
      interval: try Decode.number(interval, "interval", in: Self.intervals),
      lease: try Decode.number(lease, "lease", in: ProtoAssignment.leases), heardSent: heardSent)
  }

  /// The accepted intervals in seconds. Heartbeats come every 0.2 s to 1 s; an interval of more than a minute is
  /// useless to the receiver.
  static let intervals = 0.0...60.0
}

extension ProtoWorkerHeartbeat: WireRepresentation {
  init(_ heartbeat: WorkerHeartbeat) {
    commandsApplied = heartbeat.commandsApplied
    lastEvent = heartbeat.lastEvent
    tokens = heartbeat.tokens
    interval = heartbeat.interval
    conflatedTicks = heartbeat.conflatedTicks
  }

  func model() throws(WireError) -> WorkerHeartbeat {
    WorkerHeartbeat(
      commandsApplied: commandsApplied, lastEvent: lastEvent, tokens: tokens,
      interval: try Decode.number(interval, "interval", in: ProtoCoordinatorHeartbeat.intervals),
      conflatedTicks: conflatedTicks)
  }
}

extension ProtoTick: WireRepresentation {
  init(_ tick: Tick) {
    frame = ProtoFrame(tick.frame)
    lastCommand = tick.lastCommand
    shape = tick.shape
  }

  func model() throws(WireError) -> Tick {
    Tick(frame: try Decode.required(hasFrame, frame, "frame"), lastCommand: lastCommand, shape: shape)
  }
}

extension ProtoLog: WireRepresentation {
  init(_ line: LogLine) {
    level =
      switch line.level {
      case .debug: .debug
      case .info: .info
      case .warning: .warning
      case .error: .error
      }
    text = Encode.text(line.text, atMost: Limits.logLineBytes)
  }

  func model() throws(WireError) -> LogLine {
    let level: LogLine.Level
    switch self.level {
    case .debug: level = .debug
    case .info: level = .info
    case .warning: level = .warning
    case .error: level = .error
    case .unspecified, .UNRECOGNIZED: throw WireError.unknown(self.level.rawValue).within("level")
    }
    return LogLine(level, try Decode.text(text, "text", atMost: Limits.logLineBytes))
  }
}

extension ProtoReadProperty: WireRepresentation {
  init(_ property: ReadProperty) {
    self.property = ProtoPropertyReference(property.reference)
    if let state = property.state { self.state = ProtoPropertyState(state) }
  }

  func model() throws(WireError) -> ReadProperty {
    ReadProperty(
      try Decode.required(hasProperty, property, "property"), try Decode.optional(hasState, state, "state"))
  }
}

extension ProtoSnapshot.Executor: WireRepresentation {
  init(_ executor: WorkerSnapshot.Executor) {
    handle = executor.handle.rawValue
    key = ProtoExecutorKey(executor.key)
    intentions = executor.intentions.map(ProtoPlannedIntention.init)
    displaced = executor.displaced.map(\.text)
    driven = executor.driven.map(ProtoPlannedIntention.Start.init)
  }

  func model() throws(WireError) -> WorkerSnapshot.Executor {
    WorkerSnapshot.Executor(
      handle: ExecutorHandle(handle), key: try Decode.required(hasKey, key, "key"),
      intentions: try Decode.list(intentions, "intentions"),
      displaced: try Decode.names(displaced, "displaced", atMost: Limits.propertiesPerTarget),
      driven: try Decode.list(driven, "driven", atMost: Limits.propertiesPerTarget))
  }
}

extension ProtoSnapshot {
  init(_ snapshot: WorkerSnapshot, command: UInt64, lastEventApplied: UInt64) {
    self.command = command
    self.lastEventApplied = lastEventApplied
    frame = ProtoFrame(snapshot.frame)
    executors = snapshot.executors.map(Executor.init)
    properties = snapshot.properties.map(ProtoReadProperty.init)
  }

  func model() throws(WireError) -> WorkerSnapshot {
    WorkerSnapshot(
      frame: try Decode.required(hasFrame, frame, "frame"), executors: try Decode.list(executors, "executors"),
      properties: try Decode.list(properties, "properties"))
  }
}
