import MotionModel
import SwiftProtobuf

extension ProtoRecordingHeader: WireRepresentation {
  init(_ header: RecordingHeader) {
    `protocol` = UInt32(ProtocolVersion.messages.upperBound)
    ratePerSecond = header.ratePerSecond
    plugins = header.plugins.map(ProtoPluginManifest.init)
    if let checkpoint = header.checkpoint { self.checkpoint = ProtoCheckpoint(checkpoint) }
    if let snapshot = header.snapshot { self.snapshot = ProtoRuntimeSnapshot(snapshot) }
  }

  func model() throws(WireError) -> RecordingHeader {
    try ProtocolVersion.check(UInt64(`protocol`), isSpoken: ProtocolVersion.messages)
    var header = RecordingHeader(
      ratePerSecond: try Decode.number(ratePerSecond, "rate_per_second", in: Limits.rate),
      plugins: try Decode.list(plugins, "plugins", atMost: Limits.plugins))
    header.checkpoint = try Decode.optional(hasCheckpoint, checkpoint, "checkpoint")
    header.snapshot = try Decode.optional(hasSnapshot, snapshot, "snapshot")
    return header
  }
}

extension ProtoRuntimeSnapshot: WireRepresentation {
  init(_ snapshot: RuntimeSnapshot) {
    checkpoint = ProtoCheckpoint(snapshot.checkpoint)
    quarantined = snapshot.quarantined.map(ProtoCheckpoint.Plan.init)
    details = Encode.bytes(snapshot.details)
  }

  func model() throws(WireError) -> RuntimeSnapshot {
    RuntimeSnapshot(
      try Decode.required(hasCheckpoint, checkpoint, "checkpoint"),
      quarantined: try Decode.list(quarantined, "quarantined"), details: Encode.array(details))
  }
}

extension ProtoRecordedFrame: WireRepresentation {
  init(_ frame: RecordedFrame) {
    self.frame = ProtoFrame(frame.frame)
    betweenFrames = frame.betweenFrames.map { ProtoRuntimeEvent($0, frame.provenances) }
    events = frame.events.map { ProtoRuntimeEvent($0, frame.provenances) }
    skipped = frame.skipped
    hash = frame.hash
    if let clocks = frame.clocks { (wallTime, bootTime) = (clocks.wallTime, clocks.bootTime) }
  }

  func model() throws(WireError) -> RecordedFrame {
    var recorded = RecordedFrame(
      frame: try Decode.required(hasFrame, frame, "frame"),
      betweenFrames: try Decode.list(betweenFrames, "between_frames"), events: try Decode.list(events, "events"),
      skipped: skipped, hash: hash,
      clocks: wallTime == 0 && bootTime == 0 ? nil : MachineClocks(wallTime: wallTime, bootTime: bootTime))
    for case .commit(let committed)? in (betweenFrames + events).lazy.map(\.event) where committed.hasProvenance {
      recorded.provenances[committed.sequence] = try Decode.part(committed.provenance, "commit.provenance")
    }
    return recorded
  }
}

extension ProtoRuntimeEvent: WireRepresentation {
  /// An event, with the provenance of its transaction if that is among these.
  init(_ event: RuntimeEvent, _ provenances: [UInt64: Provenance]) {
    self.init(event)
    guard case .commit(let sequence, _) = event, let provenance = provenances[sequence] else { return }
    commit.provenance = ProtoProvenance(provenance)
  }

  init(_ event: RuntimeEvent) {
    self.event =
      switch event {
      case .commit(let sequence, let transaction):
        .commit(
          .with {
            $0.sequence = sequence
            $0.operations = transaction.log.map(ProtoOperation.init)
          })
      case .update(let worker, let update):
        .update(
          .with {
            $0.worker = ProtoWorkerAddress(worker)
            $0.update = ProtoUpdate(update)
          })
      case .provisioned(let worker): .provisioned(ProtoWorkerAddress(worker))
      case .lost(let worker): .lost(ProtoWorkerAddress(worker))
      case .quarantined(let plugin, let reason):
        .quarantined(
          .with {
            $0.plugin = plugin.text
            $0.reason = Encode.text(reason)
          })
      case .restored(let plugin): .restored(plugin.text)
      case .stop(let stop): .stop(ProtoStop(stop))
      case .withdraw(let sequences): .withdraw(.with { $0.sequences = sequences })
      case .input(let input): .input(ProtoInput(input))
      case .inputValues(let input): .input(ProtoInput(input))
      case .withheld(let worker, let identities):
        .withheld(
          .with {
            $0.worker = ProtoWorkerAddress(worker)
            $0.identities = (identities ?? []).map(ProtoIntentionIdentity.init)
            $0.over = identities == nil
          })
      case .planQuarantined(let identity, let reason):
        .planQuarantined(
          .with {
            $0.identity = ProtoIntentionIdentity(identity)
            $0.reason = Encode.text(reason)
          })
      }
  }

  func model() throws(WireError) -> RuntimeEvent {
    switch event {
    case .commit(let committed):
      return .commit(
        sequence: try Decode.ordinal(committed.sequence, "commit.sequence"),
        try ProtoOperation.transaction(committed.operations))
    case .update(let updated):
      return .update(
        try Decode.required(updated.hasWorker, updated.worker, "update.worker"),
        try Decode.required(updated.hasUpdate, updated.update, "update.update"))
    case .provisioned(let worker): return .provisioned(try Decode.part(worker, "provisioned"))
    case .lost(let worker): return .lost(try Decode.part(worker, "lost"))
    case .quarantined(let quarantined):
      return .quarantined(
        try Decode.name(quarantined.plugin, "quarantined.plugin"),
        reason: try Decode.text(quarantined.reason, "quarantined.reason"))
    case .restored(let plugin): return .restored(try Decode.name(plugin, "restored"))
    case .stop(let stop): return .stop(try stop.model())
    case .withdraw(let withdrawn):
      for sequence in withdrawn.sequences { _ = try Decode.ordinal(sequence, "withdraw.sequences") }
      return .withdraw(withdrawn.sequences)
    case .input(let input) where !input.values.isEmpty: return .inputValues(try input.decodedValues())
    case .input(let input): return .input(try Decode.part(input, "input"))
    case .withheld(let withheld):
      let identities: [IntentionIdentity] = try Decode.list(withheld.identities, "withheld.identities")
      return .withheld(
        try Decode.required(withheld.hasWorker, withheld.worker, "withheld.worker"), withheld.over ? nil : identities)
    case .planQuarantined(let planQuarantined):
      return .planQuarantined(
        try Decode.required(planQuarantined.hasIdentity, planQuarantined.identity, "plan_quarantined.identity"),
        reason: try Decode.text(planQuarantined.reason, "plan_quarantined.reason"))
    case nil: throw .nothingChosen("event")
    }
  }
}

extension ProtoPluginManifest: WireRepresentation {
  init(_ manifest: PluginManifest) {
    name = manifest.name.text
    executable = manifest.executable
    arguments = manifest.arguments
    environment = manifest.environment
    protocolVersions = ProtoVersionRange(manifest.protocolVersions)
    intentions = manifest.intentions.map(ProtoIntentionDescription.init)
    unnamedOnly = manifest.unnamedOnly.map(\.text)
    wantsUpdates = manifest.wantsUpdates
    instances = Encode.count(manifest.instances)
    onLost =
      switch manifest.onLost {
      case .hold: .hold
      case .rest: .rest
      }
    documentation = Encode.text(manifest.documentation)
  }

  func model() throws(WireError) -> PluginManifest {
    guard (1...UInt32(Limits.instancesPerPlugin)).contains(instances) else {
      throw WireError(
        .value, field: "instances", "\(instances) is out of range", remedy: "Use 1 to \(Limits.instancesPerPlugin)")
    }
    return PluginManifest(
      name: try Decode.name(name, "name"), executable: try Decode.text(executable, "executable"),
      arguments: try Decode.texts(arguments, "arguments"), environment: try Decode.texts(environment, "environment"),
      protocolVersions: try Decode.required(hasProtocolVersions, protocolVersions, "protocol_versions"),
      intentions: try Decode.list(intentions, "intentions", atMost: Limits.intentionsPerPlugin),
      unnamedOnly: try Decode.names(unnamedOnly, "unnamed_only", atMost: Limits.intentionsPerPlugin),
      wantsUpdates: wantsUpdates, instances: Int(instances), onLost: try whenLost(),
      documentation: try Decode.text(documentation, "documentation"))
  }

  private func whenLost() throws(WireError) -> PluginManifest.OnLost {
    switch onLost {
    case .hold: .hold
    case .rest: .rest
    case .unspecified, .UNRECOGNIZED: throw WireError.unknown(onLost.rawValue).within("on_lost")
    }
  }
}
