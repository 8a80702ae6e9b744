package import MotionClient
package import MotionModel
import MotionWire

extension LiveConversation {
  /// Handles an event of motiond.
  package mutating func receive(_ event: ValueSubscription.Event, at instant: Instant) -> [Action] {
    switch event {
    case .values(let values): take(values, at: instant)
    case .handedOver(let changes, let missed): take(changes, missed: missed, at: instant)
    case .ended(let plans, let missed):
      if missed > 0 { enqueue(LogLine(.warning, "\(missed) messages about plans were missed"), at: instant) }
      for plan in plans { if let line = LogLine(plan) { enqueue(line, at: instant) } }
    case .restarted:
      deadlines.channels = instant.now
      enqueue(LogLine(.warning, "motiond was restarted"), at: instant)
    }
    return []
  }

  private mutating func take(_ values: FrameValues, at instant: Instant) {
    if !values.forgotten.isEmpty { channelsChanged(at: instant) }
    for property in values.properties {
      guard let channel = table.id(of: property.reference), pending.subscriptions.includes(channel) else { continue }
      pending.samples.take(
        property.state, on: channel, frame: values.frame, time: values.time, wallTime: instant.wallTime,
        missed: values.missed)
    }
  }

  private mutating func take(_ changes: [DriverChange], missed: UInt64, at instant: Instant) {
    if missed > 0 { enqueue(LogLine(.warning, "\(missed) messages about drivers were missed"), at: instant) }
    for change in changes {
      if mayNeedChannel(change.reference) { channelsChanged(at: instant) }
      let driver = SampleMessage.text(of: change.driver)
      let sample = SampleMessage.driver(driver, of: change.reference, frame: change.frame, from: change.time)
      pending.add(sample, on: .drivers, at: instant.wallTime)
      enqueue(LogLine(change, driver: driver), at: instant)
    }
  }

  private mutating func enqueue(_ line: LogLine, at instant: Instant) {
    pending.add(line.payload(at: instant.wallTime), on: .log, at: instant.wallTime)
  }

  /// Whether a property that has a driver may be new. Where some have no channel because of a limit, each second's status
  /// decides instead: every hand-over of one of these would cause a query.
  private func mayNeedChannel(_ reference: PropertyReference) -> Bool {
    table.id(of: reference) == nil && table.hiddenTargets == 0 && pattern?.matches(reference.target) ?? true
  }

  private mutating func channelsChanged(at instant: Instant) {
    if deadlines.channels == nil { deadlines.channels = instant.now + Self.channelDelay }
  }

  // MARK: Answers

  /// Handles the status, which is also the sign that motiond is there.
  package mutating func take(status: Status, at instant: Instant) -> [Action] {
    var actions: [Action] = [.send(ServerMessage.time(instant.wallTime))]
    if absence != nil {
      absence = nil
      actions.append(.send(ServerMessage.removeStatus("motiond")))
      deadlines.channels = instant.now
    }
    if status.counts.targets != lastCounts.targets || status.counts.properties != lastCounts.properties {
      channelsChanged(at: instant)
    }
    let clock = ParameterTable(status.clock, pattern: pattern)
    // Limits and plans take two more queries, only for viewers that watch them.
    let others = watchedParameters.filter { $0.hasPrefix("/limits/") || $0.hasPrefix("/plans/") }
    if !others.isEmpty { actions.append(.request(.watched(others.sorted()))) }
    return actions
      + changes(clock.values(of: watchedParameters.sorted()).filter { watchedParameters.contains($0.name) })
  }

  /// Handles that motiond cannot be reached.
  package mutating func lost(because reason: String) -> [Action] {
    guard absence != reason else { return [] }
    let isNew = absence == nil
    absence = reason
    guard isNew else { return [] }
    let text = "motiond is gone: \(reason). All channels go on by themselves when it is back"
    return [.send(ServerMessage.status(.error, text, id: "motiond"))]
  }

  /// Handles the present properties.
  ///
  /// - Parameter counts: the counts of a status before them. If those of a later status differ, something has changed
  ///   meanwhile.
  package mutating func take(properties: [PropertyReference], counts: Status.Counts) -> [Action] {
    lastCounts = counts
    let changes = table.follow(properties, pattern)
    var actions: [Action] = []
    for (id, reference) in changes.removed {
      pending.samples.remove(id)
      if pending.subscriptions.removeAll(to: id) { actions.append(.unfollow(.motion(.property(reference)))) }
    }
    if !changes.removed.isEmpty { actions.append(.send(ServerMessage.unadvertise(changes.removed.map(\.id)))) }
    if !changes.added.isEmpty { actions.append(.send(ServerMessage.advertise(changes.added))) }
    if table.hiddenTargets != toldHidden {
      toldHidden = table.hiddenTargets
      actions.append(
        toldHidden == 0
          ? .send(ServerMessage.removeStatus("channels"))
          : .send(
            ServerMessage.status(
              .info, "\(toldHidden) targets have no channel. The parameter /studio/channels chooses others",
              id: "channels")))
    }
    return actions
  }

  /// Handles the present drivers.
  package mutating func take(drivers: [(PropertyReference, String)], frame: UInt64, time: Double, at instant: Instant)
    -> [Action]
  {
    for (reference, driver) in drivers {
      let sample = SampleMessage.driver(driver, of: reference, frame: frame, from: time)
      pending.add(sample, on: .drivers, at: instant.wallTime)
    }
    return []
  }

  /// Handles a graph.
  package mutating func take(graph: RuntimeGraph) -> [Action] {
    guard deadlines.graph != nil, let message = self.graph.message(to: graph, services: services) else { return [] }
    return [.send(message)]
  }

  /// Handles values of parameters that the viewer requested, or has set.
  ///
  /// - Parameter accepted: values that the next frame applies, and that motiond does not show before.
  package mutating func take(
    parameters: ParameterTable, for names: [String], id: String?, accepted: [String: Parameter] = [:]
  ) -> [Action] {
    let values = parameters.values(of: names).map { accepted[$0.name] ?? $0 }
    for value in values { lastParameters[value.name] = value }
    return [.send(ServerMessage.parameters(values, id: id))]
  }

  /// Handles values of parameters that the viewer watches.
  package mutating func take(watched parameters: ParameterTable) -> [Action] {
    changes(parameters.values(of: watchedParameters.sorted()).filter { watchedParameters.contains($0.name) })
  }

  private mutating func changes(_ parameters: [Parameter]) -> [Action] {
    let changed = parameters.filter { lastParameters[$0.name] != $0 }
    for parameter in changed { lastParameters[parameter.name] = parameter }
    return changed.isEmpty ? [] : [.send(ServerMessage.parameters(changed, id: nil))]
  }

  /// Handles a request that could not be executed.
  package func refused(_ request: Request, because reason: String) -> [Action] {
    switch request {
    // They are repeated by themselves, when motiond is back at the latest.
    case .status, .properties, .drivers, .graph, .watched:
      absence == nil ? [Self.warning("a part of what is shown is missing: \(reason)")] : []
    case .parameters(let names, let id):
      [Self.warning("parameters cannot be read: \(reason)")]
        // A viewer may wait for the answer with its id.
        + (id == nil ? [] : [.send(ServerMessage.parameters(names.compactMap { lastParameters[$0] }, id: id))])
    case .set(let parameters, let id):
      [Self.warning("parameters cannot be set: \(reason)")]
        + (id == nil
          ? [] : [.send(ServerMessage.parameters(parameters.compactMap { lastParameters[$0.name] }, id: id))])
    case .call(let call, _): [.send(ServerMessage.failure(call, reason))]
    }
  }

  /// Handles other targets to be shown.
  package mutating func show(_ pattern: TargetSelector?) -> [Action] {
    self.pattern = pattern
    return [.request(.properties)]
  }
}
