import MotionWire

extension LiveConversation {
  /// Handles a message of the viewer.
  package mutating func receive(_ message: ViewerMessage) -> [Action] {
    switch message {
    case .subscribe(let rows): return rows.flatMap { subscribe($0) }
    case .unsubscribe(let ids): return ids.flatMap { unsubscribe($0) }
    case .getParameters(let names, let id): return [.request(.parameters(names, id: id))]
    case .setParameters(let parameters, let id): return set(parameters, id: id)
    case .subscribeParameters(let names): return watch(names)
    case .unsubscribeParameters(let names):
      watchedParameters.subtract(names)
      return []
    case .subscribeGraph:
      graph = GraphUpdate()
      deadlines.graph = .zero
      return []
    case .unsubscribeGraph:
      deadlines.graph = nil
      return []
    case .call(let call): return self.call(call)
    case .playback: return [Self.warning("playback is at /history and at /recording/NAME, not here")]
    case .unsupported(let name): return [Self.warning("\(name) is not a capability of this server")]
    }
  }

  /// Handles a message that does not follow the protocol.
  package func receive(_ error: ViewerMessageError) -> [Action] { [Self.warning(error.description)] }

  static func warning(_ text: String) -> Action { .send(ServerMessage.status(.warning, text)) }

  private mutating func subscribe(_ row: ViewerMessage.Subscription) -> [Action] {
    let fixed = ChannelTable.Fixed(rawValue: row.channel)
    guard fixed != nil || table.properties[row.channel] != nil else {
      return [Self.warning("there is no channel \(row.channel), for the subscription \(row.id)")]
    }
    let addition = pending.subscriptions.add(row.id, to: row.channel)
    switch addition {
    case .taken, .tooMany: return addition.problem(with: row).map { [Self.warning($0)] } ?? []
    case .further:
      // Complete values come with a subscription: it is made anew.
      return interest(of: row.channel).map { [.unfollow($0), .follow($0)] }
        ?? (fixed == .drivers ? [.request(.drivers)] : [])
    case .first:
      let follows: [Action] = interest(of: row.channel).map { [.follow($0)] } ?? []
      return follows + (fixed == .drivers ? [.request(.drivers)] : [])
    }
  }

  private mutating func unsubscribe(_ id: UInt32) -> [Action] {
    guard let removed = pending.subscriptions.remove(id) else {
      return [Self.warning("there is no subscription \(id)")]
    }
    guard removed.isLast else { return [] }
    pending.samples.remove(removed.channel)
    return interest(of: removed.channel).map { [.unfollow($0)] } ?? []
  }

  /// What a channel needs of motiond; `nil` for what is followed anyway.
  func interest(of channel: UInt32) -> Interest? {
    switch ChannelTable.Fixed(rawValue: channel) {
    case .drivers, .columns: nil
    case .log: .outcomes(nil)
    case nil: table.properties[channel].map { .motion(.property($0)) }
    }
  }

  private mutating func set(_ parameters: [Parameter], id: String?) -> [Action] {
    let refused = mayChange ? [] : parameters.filter { ParameterTable.changesMotion($0.name) }
    let allowed = parameters.filter { !refused.contains($0) }
    let warnings = refused.isEmpty ? [] : [Self.warning("this viewer may only look, and set no parameter of motion")]
    // Without anything to set the answer has the present values.
    return warnings + [
      allowed.isEmpty ? .request(.parameters(refused.map(\.name), id: id)) : .request(.set(allowed, id: id))
    ]
  }

  private mutating func watch(_ names: [String]) -> [Action] {
    guard watchedParameters.count + names.count <= 4 * StudioLimits.parameters else {
      return [Self.warning("a viewer may subscribe to \(4 * StudioLimits.parameters) parameters")]
    }
    watchedParameters.formUnion(names)
    return []
  }

  private func call(_ call: ViewerMessage.Call) -> [Action] {
    guard let service = Service(rawValue: call.service) else {
      return [.send(ServerMessage.failure(call, "there is no service \(call.service)"))]
    }
    guard services.contains(service) else {
      return [.send(ServerMessage.failure(call, "this viewer may only look, and not call \(service.name)"))]
    }
    guard call.encoding == "json" else {
      return [.send(ServerMessage.failure(call, "the encoding of a request is json"))]
    }
    return [.request(.call(call, service))]
  }
}
